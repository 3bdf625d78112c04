/// The part of the support that knows the formats of JSON Schema.
enum SwiftModelFormats {
  /// The formats that generated code checks, by their names in JSON Schema.
  static let known: Set<String> = [
    "date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uri-reference", "iri",
    "iri-reference", "uuid", "uri-template", "json-pointer", "relative-json-pointer", "regex",
  ]

  static let table = #"""
    /// The formats that are checked, by their names in JSON Schema.
    enum JSONFormat: String {
      case dateTime = "date-time"
      case date, time, duration, email, hostname, ipv4, ipv6, uri, iri, uuid, regex
      case uriReference = "uri-reference"
      case iriReference = "iri-reference"
      case uriTemplate = "uri-template"
      case jsonPointer = "json-pointer"
      case relativeJsonPointer = "relative-json-pointer"

      func accepts(_ text: String) -> Bool {
        switch self {
        case .dateTime: Self.dateTime(text) != nil
        case .date: Self.day(text[...]) != nil
        case .time: Self.time(text[...]) != nil
        case .duration: Self.durations.isFound(in: text)
        case .email: Self.isEmail(text)
        case .hostname: Self.isHost(text)
        case .ipv4: Self.isIPv4(text[...])
        case .ipv6: Self.isIPv6(text[...])
        case .uri: Self.isReference(text, isASCII: true, isAbsolute: true)
        case .iri: Self.isReference(text, isASCII: false, isAbsolute: true)
        case .uriReference: Self.isReference(text, isASCII: true)
        case .iriReference: Self.isReference(text, isASCII: false)
        case .uuid: Self.isUUID(text)
        case .uriTemplate: Self.templates.isFound(in: text)
        case .jsonPointer: Self.isPointer(text[...])
        case .relativeJsonPointer: Self.isRelativePointer(text)
        case .regex: Self.isRegex(text)
        }
      }
    }

    extension JSONReport {
      mutating func format(_ json: JSONValue, _ format: JSONFormat) {
        guard case .string(let text) = json, !format.accepts(text) else { return }
        add("must be of the format \(format.rawValue)")
      }
    }

    """#

  static let times = #"""
    extension JSONFormat {
      /// The numbers between the given signs, each of as many ASCII digits as said; nil where the text is otherwise.
      private static func numbers(_ text: Substring, _ widths: [Int], by sign: Character) -> [Int]? {
        let parts = text.split(separator: sign, omittingEmptySubsequences: false)
        guard parts.count == widths.count else { return nil }
        var numbers: [Int] = []
        for (part, width) in zip(parts, widths) {
          let digits = part.utf8
          guard digits.count == width, digits.allSatisfy({ 48...57 ~= $0 }), let number = Int(part)
          else {
            return nil
          }
          numbers.append(number)
        }
        return numbers
      }

      /// Year, month and day of `2026-03-01`.
      static func day(_ text: Substring) -> (year: Int, month: Int, day: Int)? {
        guard let parts = numbers(text, [4, 2, 2], by: "-"), 1...12 ~= parts[1] else { return nil }
        let isLeap = parts[0] % 4 == 0 && (parts[0] % 100 != 0 || parts[0] % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][parts[1] - 1]
        return 1...days ~= parts[2] ? (parts[0], parts[1], parts[2]) : nil
      }

      /// Seconds since midnight and the offset from UTC in seconds of `12:30:00.5+02:00`.
      static func time(_ text: Substring) -> (seconds: Double, offset: Int)? {
        guard let end = text.dropFirst(8).firstIndex(where: { "zZ+-".contains($0) }) else { return nil }
        guard let parts = numbers(text.prefix(8), [2, 2, 2], by: ":"), parts[0] < 24, parts[1] < 60
        else {
          return nil
        }
        let fraction = text.dropFirst(8)[..<end]
        guard fraction.isEmpty || (fraction.first == "." && fraction.utf8.count > 1) else { return nil }
        guard fraction.dropFirst().utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        guard let offset = zone(text[end...]) else { return nil }
        let seconds = parts[0] * 3600 + parts[1] * 60 + parts[2]
        // A leap second ends a day in UTC.
        let isLeap = parts[2] == 60 && (seconds - 60 - offset + 172_800) % 86_400 == 86_340
        guard parts[2] < 60 || isLeap else { return nil }
        return (Double(seconds) + (Double("0" + fraction) ?? 0), offset)
      }

      private static func zone(_ text: Substring) -> Int? {
        if text == "Z" || text == "z" { return 0 }
        guard let parts = numbers(text.dropFirst(), [2, 2], by: ":"), parts[0] < 24, parts[1] < 60
        else {
          return nil
        }
        return (text.first == "-" ? -1 : 1) * (parts[0] * 3600 + parts[1] * 60)
      }

      /// Seconds since 1970 of `2026-03-01T12:30:00Z`.
      static func dateTime(_ text: String) -> Double? {
        let tail = text.dropFirst(10)
        guard tail.first == "T" || tail.first == "t", let (year, month, day) = day(text.prefix(10)),
          let (seconds, offset) = time(tail.dropFirst())
        else { return nil }
        return Double(days(year, month, day) * 86_400 - offset) + seconds
      }

      /// Days since 1970 in the Gregorian calendar; years begin in March, so that the odd day comes last.
      static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month < 3 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
      }

      private static let durations = {
        let time = "T(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)"
        let date = "(?:\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D)"
        return JSONPattern(whole: "P(?:\(date)(?:\(time))?|\(time)|\\d+W)")
      }()
    }

    """#
}
