/// A key as results show it: the name of a member in snake_case, a key that is data as it is.
struct SnakeCaseKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  /// - Parameter path: The keys from the document's root on; the last is the one to show.
  init(_ path: [any CodingKey]) {
    intValue = path.last?.intValue
    guard let key = path.last else {
      stringValue = ""
      return
    }
    stringValue = Self.isMember(key) ? Self.snakeCase(key.stringValue) : key.stringValue
  }

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }

  /// Tells whether the key names a member of a type: such keys are cases of an enumeration, those of dictionaries are
  /// not.
  private static func isMember(_ key: any CodingKey) -> Bool { Mirror(reflecting: key).displayStyle == .enum }

  /// Words of `someHTTPName` in lower case with `_` between them: `some_http_name`.
  static func snakeCase(_ name: String) -> String {
    let letters = Array(name)
    var text = ""
    for (index, letter) in letters.enumerated() {
      if letter.isUppercase, index > 0, letters[index - 1] != "_" {
        let isWordStart = !letters[index - 1].isUppercase
        let endsCapitals = index + 1 < letters.count && letters[index + 1].isLowercase
        if isWordStart || endsCapitals { text += "_" }
      }
      text += letter.lowercased()
    }
    return text
  }
}

/// Integers of a JSON document that readers with doubles alone would change: beyond 2^53.
enum LargeIntegers {
  private static let greatest: UInt64 = 1 << 53

  /// The document with each such integer as a string.
  static func quoted(_ json: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(json.count)
    var place = 0
    while place < json.count {
      let byte = json[place]
      let end: Int
      if byte == UInt8(ascii: "\"") {
        end = stringEnd(json, place)
      } else if byte == UInt8(ascii: "-") || isDigit(byte) {
        end = json[place...].firstIndex { !isDigit($0) && !numberSigns.contains($0) } ?? json.count
        if isLarge(json[place..<end]) {
          result.append(UInt8(ascii: "\""))
          result += json[place..<end]
          result.append(UInt8(ascii: "\""))
          place = end
          continue
        }
      } else {
        end = place + 1
      }
      result += json[place..<end]
      place = end
    }
    return result
  }

  private static let numberSigns = Array("-+.eE".utf8)

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

  /// The place behind the string that begins at `start`.
  private static func stringEnd(_ json: [UInt8], _ start: Int) -> Int {
    var place = start + 1
    while place < json.count, json[place] != UInt8(ascii: "\"") {
      place += json[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(place + 1, json.count)
  }

  private static func isLarge(_ number: ArraySlice<UInt8>) -> Bool {
    let digits = number.first == UInt8(ascii: "-") ? number.dropFirst() : number
    guard digits.count >= 16, digits.allSatisfy(isDigit) else { return false }
    return UInt64(String(decoding: digits, as: UTF8.self)).map { $0 > greatest } ?? true
  }
}
