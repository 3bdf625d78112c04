import MPaaSLogUpload
import MPaaSLogs

extension StructuredData {
  /// The parameters of all elements, by their names; `origin.ip` where an element names one twice is not told apart.
  static func fields(_ line: Line) -> [LogField] {
    // PRI, version, time, host, app, process and message id stand before it, one space between.
    var place = 0
    for _ in 0..<6 {
      guard let space = line[place...].firstIndex(of: 0x20) else { return [] }
      place = space + 1
    }
    var fields: [LogField] = []
    while place < line.count, line[place] == UInt8(ascii: "[") {
      while place < line.count, line[place] != 0x20, line[place] != UInt8(ascii: "]") { place += 1 }
      while place < line.count, line[place] == 0x20 {
        place += 1
        guard let field = parameter(line, &place) else { return fields }
        fields.append(field)
      }
      guard place < line.count, line[place] == UInt8(ascii: "]") else { return fields }
      place += 1
    }
    return fields
  }

  private static func parameter(_ line: Line, _ place: inout Int) -> LogField? {
    guard let equals = line[place...].firstIndex(of: UInt8(ascii: "=")), equals + 1 < line.count,
      line[equals + 1] == UInt8(ascii: "\"")
    else { return nil }
    let name = String(decoding: line[place..<equals], as: UTF8.self)
    var value: [UInt8] = []
    place = equals + 2
    while place < line.count, line[place] != UInt8(ascii: "\"") {
      if line[place] == UInt8(ascii: "\\"), place + 1 < line.count { place += 1 }
      value.append(line[place])
      place += 1
    }
    place += 1
    return LogField(name, .text(String(decoding: value, as: UTF8.self)))
  }
}
