extension SwiftModelFormats {
  static let addresses = #"""
    extension JSONFormat {
      private static let quotedMailbox = JSONPattern(
        whole: "\"(?:[ !#-\\[\\]-\\~]|\\\\[ -\\~])*\"")

      /// Words with periods between them, or anything in quotation marks.
      private static func isMailbox(_ text: Substring) -> Bool {
        let words = text.split(separator: ".", omittingEmptySubsequences: false)
        let isPlain = words.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isMailboxByte) }
        return isPlain || quotedMailbox.isFound(in: String(text))
      }

      private static func isMailboxByte(_ byte: UInt8) -> Bool {
        48...57 ~= byte || 97...122 ~= byte | 0x20 || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
      }

      private static func isEmail(_ text: String) -> Bool {
        guard let at = text.lastIndex(of: "@") else { return false }
        let (local, host) = (text[..<at], text[text.index(after: at)...])
        guard local.utf8.count <= 64, isMailbox(local) else { return false }
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

      /// Tells whether `xn--…` can be decoded (RFC 3492) to a label that RFC 5892 does not forbid outright.
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
        let refused: Set<UInt32> = [
          0x302e, 0x302f, 0x0640, 0x07fa, 0x3031, 0x3032, 0x3033, 0x3034, 0x3035, 0x303b,
        ]
        func has(_ range: ClosedRange<UInt32>) -> Bool { label.contains { range ~= $0.value } }
        for (index, scalar) in label.enumerated() {
          let before = index > 0 ? label[index - 1] : nil
          let after = index + 1 < label.count ? label[index + 1] : nil
          switch scalar.value {
          case 0xb7: guard before == "l", after == "l" else { return false }
          case 0x375: guard let after, 0x370...0x3ff ~= after.value else { return false }
          case 0x5f3, 0x5f4: guard let before, 0x590...0x5ff ~= before.value else { return false }
          case 0x30fb:
            guard has(0x3041...0x309f) || has(0x30a1...0x30fa) || has(0x3400...0x9fff) else {
              return false
            }
          case 0x660...0x669: guard !has(0x6f0...0x6f9) else { return false }
          case 0x200c where before.map(isArabic) == true && after.map(isArabic) == true: break
          case 0x200c, 0x200d:
            guard before?.properties.canonicalCombiningClass == .virama else { return false }
          default: guard !refused.contains(scalar.value) else { return false }
          }
        }
        return true
      }

      /// Letters of Arabic, which join: between them the non-joiner has a meaning.
      private static func isArabic(_ scalar: Unicode.Scalar) -> Bool {
        0x620...0x64a ~= scalar.value || 0x671...0x6d3 ~= scalar.value
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
              guard 1...4 ~= group.utf8.count, group.utf8.allSatisfy(isHexadecimal) else {
                return false
              }
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
      private static let percentEncoded = JSONPattern(whole: "(?:[^%]|%[0-9A-Fa-f]{2})*")
      private static let scheme = JSONPattern(whole: "[A-Za-z][A-Za-z0-9+.\\-]*")
      private static let futureAddress = JSONPattern(whole: "v[0-9A-Fa-f]+\\..+")
      private static let port = JSONPattern(whole: "(?::\\d*)?")
      private static let hostAndPort = JSONPattern(whole: "[^\\[\\]:@]*(?::\\d*)?")
      private static let pointer = JSONPattern(whole: "(?:[^\\~]|\\~[01])*")

      private static func isReference(_ text: String, isASCII: Bool, isAbsolute: Bool = false) -> Bool {
        for scalar in text.unicodeScalars {
          if scalar.value <= 0x20 || scalar.value == 0x7f
            || "\"<>\\^`{|}".unicodeScalars.contains(scalar)
          {
            return false
          }
          if isASCII, !scalar.isASCII { return false }
        }
        guard !text.utf8.contains(37) || percentEncoded.isFound(in: text) else { return false }
        let parts = text.split(separator: "#", omittingEmptySubsequences: false)
        guard parts.count <= 2, !parts.dropFirst().joined().contains(where: { "[]".contains($0) })
        else { return false }
        var rest = parts[0]
        let scheme = rest.prefix { !":/?".contains($0) }
        if scheme.endIndex < rest.endIndex, rest[scheme.endIndex] == ":" {
          guard Self.scheme.isFound(in: String(scheme)) else { return false }
          rest = rest[rest.index(after: scheme.endIndex)...]
        } else if isAbsolute {
          return false
        }
        guard rest.hasPrefix("//") else { return !rest.contains { "[]".contains($0) } }
        let authority = rest.dropFirst(2).prefix { !"/?".contains($0) }
        guard authority.count(where: { $0 == "@" }) < 2 else { return false }
        guard !rest[authority.endIndex...].contains(where: { "[]".contains($0) }) else { return false }
        let host =
          authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        guard !authority[..<host.startIndex].contains(where: { "[]".contains($0) }) else {
          return false
        }
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
          let address = host[host.index(after: host.startIndex)..<end]
          return (isIPv6(address) || futureAddress.isFound(in: String(address)))
            && port.isFound(in: String(host[host.index(after: end)...]))
        }
        return hostAndPort.isFound(in: String(host))
      }

      /// RFC 6570.
      private static let templates = {
        let letter = "(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})"
        let variable = "\(letter)(?:\\.?\(letter))*(?::[1-9]\\d{0,3}|\\*)?"
        let expression = "\\{[+#./;?&=,!@|]?\(variable)(?:,\(variable))*\\}"
        let literal = "[^\\u0000-\\u0020\\u007F\"%<>\\\\^`{|}]|%[0-9A-Fa-f]{2}"
        return JSONPattern(whole: "(?:\(expression)|\(literal))*")
      }()

      private static func isPointer(_ text: Substring) -> Bool {
        (text.isEmpty || text.hasPrefix("/")) && pointer.isFound(in: String(text))
      }

      private static func isRelativePointer(_ text: String) -> Bool {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, digits == "0" || digits.first != "0" else { return false }
        let rest = text[digits.endIndex...]
        return rest == "#" || isPointer(rest)
      }

      /// ECMA-262 with Unicode semantics, as far as brackets, groups and escapes go.
      private static func isRegex(_ text: String) -> Bool {
        var (depth, isInClass, isRepeatable) = (0, false, false)
        var rest = Array(text.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
          switch scalar {
          case "\\":
            guard let next = rest.popFirst() else { return false }
            let isLetter = next.isASCII && next.properties.isAlphabetic
            guard !isLetter || "dDwWsSbBnrtfvckxupP".unicodeScalars.contains(next) else { return false }
            isRepeatable = true
          case "]" where isInClass: (isInClass, isRepeatable) = (false, true)
          case _ where isInClass: break
          case "[": isInClass = true
          case "(":
            (depth, isRepeatable) = (depth + 1, false)
            guard rest.first == "?" else { break }
            guard let kind = rest.dropFirst().first, ":=!<".unicodeScalars.contains(kind) else {
              return false
            }
            rest = rest.dropFirst(2)
          case ")":
            (depth, isRepeatable) = (depth - 1, true)
            guard depth >= 0 else { return false }
          case "*", "+", "?":
            guard isRepeatable else { return false }
            isRepeatable = false
            if rest.first == "?" { rest = rest.dropFirst() }
          case "|": isRepeatable = false
          default: isRepeatable = true
          }
        }
        return depth == 0 && !isInClass
      }
    }

    """#
}
