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
        case .duration: Self.isDuration(text)
        case .email: Self.isEmail(text)
        case .hostname: Self.isHost(text)
        case .ipv4: Self.isIPv4(text[...])
        case .ipv6: Self.isIPv6(text[...])
        case .uri: Self.isReference(text, isASCII: true, isAbsolute: true)
        case .iri: Self.isReference(text, isASCII: false, isAbsolute: true)
        case .uriReference: Self.isReference(text, isASCII: true)
        case .iriReference: Self.isReference(text, isASCII: false)
        case .uuid: Self.isUUID(text)
        case .uriTemplate: Self.isTemplate(text)
        case .jsonPointer: Self.isPointer(text[...])
        case .relativeJsonPointer: Self.isRelativePointer(text)
        case .regex: Self.isRegex(text)
        }
      }

      /// Whether the whole text has the form of a regular expression.
      private static func fits(_ text: String, _ pattern: String) -> Bool {
        JSONReport.matches(text, "^(?:" + pattern + ")$")
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
          guard digits.count == width, digits.allSatisfy({ 48...57 ~= $0 }), let number = Int(part) else {
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
        guard let parts = numbers(text.prefix(8), [2, 2, 2], by: ":"), parts[0] < 24, parts[1] < 60 else {
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
        guard let parts = numbers(text.dropFirst(), [2, 2], by: ":"), parts[0] < 24, parts[1] < 60 else {
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

      private static func isDuration(_ text: String) -> Bool {
        let time = "T(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)"
        let date = "(?:\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D)"
        return fits(text, "P(?:\(date)(?:\(time))?|\(time)|\\d+W)")
      }
    }

    """#

  static let addresses = #"""
    extension JSONFormat {
      private static func isEmail(_ text: String) -> Bool {
        guard let at = text.lastIndex(of: "@") else { return false }
        let (local, host) = (String(text[..<at]), text[text.index(after: at)...])
        let word = "[A-Za-z0-9!#$%&'*+\\-/=?^_`{|}\\~]+"
        let quoted = "\"(?:[ !#-\\[\\]-\\~]|\\\\[ -\\~])*\""
        guard local.utf8.count <= 64, fits(local, "\(word)(?:\\.\(word))*|\(quoted)") else { return false }
        guard host.hasPrefix("["), host.hasSuffix("]") else { return isHost(String(host)) }
        let address = host.dropFirst().dropLast()
        return address.hasPrefix("IPv6:") ? isIPv6(address.dropFirst(5)) : isIPv4(address)
      }

      private static func isHost(_ text: String) -> Bool {
        guard !text.isEmpty, text.utf8.count <= 253 else { return false }
        return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
          guard 1...63 ~= label.utf8.count, label.first != "-", label.last != "-" else { return false }
          guard label.utf8.allSatisfy({ $0 == 45 || 48...57 ~= $0 || 97...122 ~= $0 | 0x20 }) else {
            return false
          }
          return label.dropFirst(2).prefix(2) != "--" || isPunycode(label)
        }
      }

      /// Whether `xn--…` can be decoded (RFC 3492) to a label that RFC 5892 does not forbid outright.
      private static func isPunycode(_ label: Substring) -> Bool {
        guard label.lowercased().hasPrefix("xn--"), let scalars = punycode(label.dropFirst(4)) else {
          return false
        }
        return isLabel(scalars)
      }

      private static func punycode(_ text: Substring) -> [Unicode.Scalar]? {
        let bytes = Array(text.lowercased().utf8)
        let split = bytes.lastIndex(of: 45)
        var output = split.map { bytes[..<$0].map { UInt32($0) } } ?? []
        var (code, bias, index) = (UInt32(128), 72, 0)
        var rest = bytes[(split.map { $0 + 1 } ?? 0)...]
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
          let before = index
          var (weight, step) = (1, 36)
          while true {
            guard let byte = rest.popFirst() else { return nil }
            let digit = 97...122 ~= byte ? Int(byte) - 97 : 48...57 ~= byte ? Int(byte) - 22 : 36
            guard digit < 36, weight < 1 << 26 else { return nil }
            index += digit * weight
            let threshold = min(max(step - bias, 1), 26)
            guard digit >= threshold else { break }
            weight *= 36 - threshold
            step += 36
          }
          let count = output.count + 1
          var delta = (index - before) / (before == 0 ? 700 : 2)
          delta += delta / count
          bias = 0
          while delta > 455 {
            delta /= 35
            bias += 36
          }
          bias += 36 * delta / (delta + 38)
          guard index / count < 0x110000 else { return nil }
          code += UInt32(index / count)
          guard code < 0x110000 else { return nil }
          output.insert(code, at: index % count)
          index = index % count + 1
        }
        let scalars = output.compactMap { Unicode.Scalar($0) }
        return scalars.count == output.count ? scalars : nil
      }

      /// The rules of RFC 5892 that need no table: no marks first, the contextual signs in their places.
      private static func isLabel(_ label: [Unicode.Scalar]) -> Bool {
        guard let first = label.first, first != "-", label.last != "-" else { return false }
        guard label.count < 4 || label[2] != "-" || label[3] != "-" else { return false }
        switch first.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return false
        default: break
        }
        let refused: Set<UInt32> = [0x302e, 0x302f, 0x0640, 0x07fa, 0x3031, 0x3032, 0x3033, 0x3034, 0x3035, 0x303b]
        func has(_ range: ClosedRange<UInt32>) -> Bool { label.contains { range ~= $0.value } }
        for (index, scalar) in label.enumerated() {
          let before = index > 0 ? label[index - 1] : nil
          let after = index + 1 < label.count ? label[index + 1] : nil
          switch scalar.value {
          case 0xb7: guard before == "l", after == "l" else { return false }
          case 0x375: guard let after, 0x370...0x3ff ~= after.value else { return false }
          case 0x5f3, 0x5f4: guard let before, 0x590...0x5ff ~= before.value else { return false }
          case 0x30fb:
            guard has(0x3041...0x309f) || has(0x30a1...0x30fa) || has(0x3400...0x9fff) else { return false }
          case 0x660...0x669: guard !has(0x6f0...0x6f9) else { return false }
          case 0x200c, 0x200d: guard before?.properties.canonicalCombiningClass == .virama else { return false }
          default: guard !refused.contains(scalar.value) else { return false }
          }
        }
        return true
      }

      private static func isIPv4(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
          && parts.allSatisfy { part in
            part.utf8.allSatisfy { 48...57 ~= $0 } && (part == "0" || part.first != "0")
              && part.utf8.count <= 3 && Int(part).map { $0 < 256 } == true
          }
      }

      private static func isIPv6(_ text: Substring) -> Bool {
        let halves = String(text).split(separator: "::", omittingEmptySubsequences: false)
        guard halves.count <= 2, !text.contains(":::") else { return false }
        var count = 0
        for (index, half) in halves.enumerated() where !half.isEmpty {
          let groups = half.split(separator: ":", omittingEmptySubsequences: false)
          for (place, group) in groups.enumerated() {
            let isLast = index == halves.count - 1 && place == groups.count - 1
            if isLast, group.contains(".") {
              guard isIPv4(group) else { return false }
              count += 2
            } else {
              guard 1...4 ~= group.utf8.count, group.utf8.allSatisfy(isHexadecimal) else { return false }
              count += 1
            }
          }
        }
        return halves.count == 2 ? count < 8 : count == 8
      }

      private static func isHexadecimal(_ byte: UInt8) -> Bool {
        48...57 ~= byte || 97...102 ~= byte | 0x20
      }

      private static func isUUID(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
          && parts.allSatisfy { $0.utf8.allSatisfy(isHexadecimal) }
      }

      /// RFC 3986; RFC 3987 where more than ASCII is permitted.
      private static func isReference(_ text: String, isASCII: Bool, isAbsolute: Bool = false) -> Bool {
        for scalar in text.unicodeScalars {
          if scalar.value <= 0x20 || scalar.value == 0x7f || "\"<>\\^`{|}".unicodeScalars.contains(scalar) {
            return false
          }
          if isASCII, !scalar.isASCII { return false }
        }
        guard fits(text, "(?:[^%]|%[0-9A-Fa-f]{2})*") else { return false }
        let parts = text.split(separator: "#", omittingEmptySubsequences: false)
        guard parts.count <= 2, !parts.dropFirst().joined().contains(where: { "[]".contains($0) }) else { return false }
        var rest = parts[0]
        let scheme = rest.prefix { !":/?".contains($0) }
        if scheme.endIndex < rest.endIndex, rest[scheme.endIndex] == ":" {
          guard fits(String(scheme), "[A-Za-z][A-Za-z0-9+.\\-]*") else { return false }
          rest = rest[rest.index(after: scheme.endIndex)...]
        } else if isAbsolute {
          return false
        }
        guard rest.hasPrefix("//") else { return !rest.contains { "[]".contains($0) } }
        let authority = rest.dropFirst(2).prefix { !"/?".contains($0) }
        guard !rest[authority.endIndex...].contains(where: { "[]".contains($0) }) else { return false }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        guard !authority[..<host.startIndex].contains(where: { "[]".contains($0) }) else { return false }
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
          let address = host[host.index(after: host.startIndex)..<end]
          return (isIPv6(address) || fits(String(address), "v[0-9A-Fa-f]+\\..+"))
            && fits(String(host[host.index(after: end)...]), "(?::\\d*)?")
        }
        return fits(String(host), "[^\\[\\]:@]*(?::\\d*)?")
      }

      /// RFC 6570.
      private static func isTemplate(_ text: String) -> Bool {
        let letter = "(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})"
        let variable = "\(letter)(?:\\.?\(letter))*(?::[1-9]\\d{0,3}|\\*)?"
        let expression = "\\{[+#./;?&=,!@|]?\(variable)(?:,\(variable))*\\}"
        let literal = "[^\\u0000-\\u0020\"'%<>\\\\^`{|}]|%[0-9A-Fa-f]{2}"
        return fits(text, "(?:\(expression)|\(literal))*")
      }

      private static func isPointer(_ text: Substring) -> Bool {
        (text.isEmpty || text.hasPrefix("/")) && fits(String(text), "(?:[^\\~]|\\~[01])*")
      }

      private static func isRelativePointer(_ text: String) -> Bool {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, digits == "0" || digits.first != "0" else { return false }
        let rest = text[digits.endIndex...]
        return rest == "#" || isPointer(rest)
      }

      private static func isRegex(_ text: String) -> Bool {
        // ECMA-262 knows no other letters behind a backslash.
        let escape = "\\\\(?:[dDwWsSbBnrtfv0-9ckxupP]|[^A-Za-z0-9_])"
        return fits(text, "(?:[^\\\\]|\(escape))*") && (try? Regex(text)) != nil
      }
    }

    """#
}

/// The part of the support that knows dates.
enum SwiftModelDates {
  static let source = #"""
    /// A date with a time, and how it was written, so that writing it again changes nothing.
    public struct JSONDateTime: JSONConvertible, CustomStringConvertible {
      /// By RFC 3339: `2026-03-01T12:30:00+02:00`.
      public let text: String
      public let date: Date

      /// - Returns: nil where the text is no date with a time.
      public init?(_ text: String) {
        guard let seconds = JSONFormat.dateTime(text) else { return nil }
        self.text = text
        date = Date(timeIntervalSince1970: seconds)
      }

      /// Writes the date in UTC, with milliseconds where it has any.
      public init(_ date: Date) {
        self.date = date
        let milliseconds = Int((date.timeIntervalSince1970 * 1000).rounded())
        let (days, rest) = (Int((Double(milliseconds) / 86_400_000).rounded(.down)), 86_400_000)
        let time = milliseconds - days * rest
        let (year, month, day) = Self.day(days)
        func digits(_ number: Int, _ width: Int) -> String {
          String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
        }
        text =
          "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T"
          + "\(digits(time / 3_600_000, 2)):\(digits(time / 60_000 % 60, 2)):\(digits(time / 1000 % 60, 2))"
          + (time % 1000 == 0 ? "" : ".\(digits(time % 1000, 3))") + "Z"
      }

      /// The day that lies so many days after 1 January 1970.
      private static func day(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let isNextYear = month >= 10
        return (
          year + era * 400 + (isNextYear ? 1 : 0), isNextYear ? month - 9 : month + 3,
          dayOfYear - (153 * month + 2) / 5 + 1
        )
      }

      public init(jsonValue json: JSONValue) throws {
        guard case .string(let text) = json, let value = Self(text) else {
          throw JSONProblem("must be a date with a time")
        }
        self = value
      }

      public var jsonValue: JSONValue { .string(text) }
      public var description: String { text }
    }

    extension Date: JSONConvertible {
      public init(jsonValue json: JSONValue) throws { self = try JSONDateTime(jsonValue: json).date }
      public var jsonValue: JSONValue { .string(JSONDateTime(self).text) }
    }

    /// A day of the calendar: `2026-03-01`.
    public struct JSONDate: JSONConvertible, CustomStringConvertible {
      public let text: String
      public let year: Int
      public let month: Int
      public let day: Int

      /// - Returns: nil where the text is no day.
      public init?(_ text: String) {
        guard let (year, month, day) = JSONFormat.day(text[...]) else { return nil }
        self.text = text
        (self.year, self.month, self.day) = (year, month, day)
      }

      public init(jsonValue json: JSONValue) throws {
        guard case .string(let text) = json, let value = Self(text) else {
          throw JSONProblem("must be a date")
        }
        self = value
      }

      public var jsonValue: JSONValue { .string(text) }
      public var description: String { text }
    }

    """#
}
