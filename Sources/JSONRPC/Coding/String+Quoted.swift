extension String {
  /// In quotation marks, cut to a length that an error message can carry.
  package var quoted: String {
    "\"\(self.shortened)\""
  }

  /// Cut if it is longer than any name; by scalars, since one character may have any number of them.
  var shortened: String {
    self.utf8.count <= 64 ? self : "\(String(String.UnicodeScalarView(self.unicodeScalars.prefix(40))))..."
  }
}
