/// Dates in samples, as strictly as the generated code reads them.
enum SampleDate {
  static func isDate(_ text: String) -> Bool {
    guard let (year, month, day) = parts(text.utf8.prefix(10)), text.utf8.count == 10 else { return false }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return 1...12 ~= month && 1...days[month - 1] ~= day
  }

  private static func parts(_ text: Substring.UTF8View) -> (Int, Int, Int)? {
    let parts = Substring(text).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], parts.allSatisfy({ $0.utf8.allSatisfy { 48...57 ~= $0 } }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
    else { return nil }
    return (year, month, day)
  }

  static func isDateTime(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes[10] == 0x54 || bytes[10] == 0x74,
      isDate(String(decoding: bytes[..<10], as: UTF8.self))
    else { return false }
    func digits(_ range: Range<Int>, below: Int) -> Bool {
      guard range.upperBound <= bytes.count, bytes[range].allSatisfy({ 48...57 ~= $0 }),
        let number = Int(String(decoding: bytes[range], as: UTF8.self))
      else { return false }
      return number < below
    }
    guard digits(11..<13, below: 24), bytes[13] == 0x3a, digits(14..<16, below: 60), bytes[16] == 0x3a,
      digits(17..<19, below: 60)
    else { return false }
    var rest = bytes[19...]
    if rest.first == 0x2e {
      rest = rest.dropFirst()
      guard let first = rest.first, 48...57 ~= first else { return false }
      rest = rest.drop { 48...57 ~= $0 }
    }
    if rest.count == 1 { return rest.first == 0x5a || rest.first == 0x7a }
    guard rest.count == 6, rest.first == 0x2b || rest.first == 0x2d else { return false }
    let start = rest.startIndex
    return digits(start + 1..<start + 3, below: 24) && bytes[start + 3] == 0x3a
      && digits(start + 4..<start + 6, below: 60)
  }
}
