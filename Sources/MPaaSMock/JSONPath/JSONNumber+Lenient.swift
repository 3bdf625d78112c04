import MPaaSJSON

extension JSONNumber {
  /// Reads a number that may have zeros in front, a plus, and blanks around it.
  static func lenient(_ text: String) -> JSONNumber? {
    var text = text.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    let isNegative = text.hasPrefix("-")
    if isNegative || text.hasPrefix("+") { text = text.dropFirst() }
    while text.hasPrefix("0"), text.dropFirst().first?.isASCII == true, text.dropFirst().first?.isNumber == true {
      text = text.dropFirst()
    }
    if text.hasPrefix(".") { text = "0" + text }
    return JSONNumber((isNegative ? "-" : "") + text)
  }
}
