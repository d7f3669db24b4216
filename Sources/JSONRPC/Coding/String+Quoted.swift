extension String {
  /// In quotation marks, shortened to fit into an error message.
  package var quoted: String {
    "\"\(self.shortened)\""
  }

  /// Shortened if it is longer than any name. It counts scalars, since one character may consist of any number of them.
  var shortened: String {
    self.utf8.count <= 64 ? self : "\(String(String.UnicodeScalarView(self.unicodeScalars.prefix(40))))..."
  }
}
