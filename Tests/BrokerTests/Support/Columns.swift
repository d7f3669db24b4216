/// A number aligned right in a column, for the tables that tests print.
func column(_ number: Double, _ width: Int, _ digits: Int = 0) -> String {
  var scale = 1.0
  for _ in 0..<digits { scale *= 10 }
  let rounded = (number * scale).rounded() / scale
  return column(digits == 0 ? "\(Int(rounded))" : "\(rounded)", width)
}

func column(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(width - text.count, 0)) + text
}

/// A text aligned left in a column.
func label(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(width - text.count, 0))
}
