package import MPaaSHotpatch
import MPaaSSupport
import MPaaSTrust

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension RolloutBucket {
  /// The share, of 10,000, that a percentage is, written with at most two decimals: 1,250 for `12.5` or `12.5%`.
  ///
  /// - Returns: nil where the text is no such percentage, or over 100.
  package static func basisPoints(ofPercentage text: String) -> Int? {
    let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? String(parts[1]) : ""
    guard let first = parts.first, fraction.utf8.count <= 2, parts.count == 1 || !fraction.isEmpty,
      (String(first) + fraction).utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let whole = Int(first), whole <= 100,
      let hundredths = Int((fraction + "00").prefix(2)), whole * 100 + hundredths <= count
    else { return nil }
    return whole * 100 + hundredths
  }
}

extension Rollout.Window {
  /// The longest window that mPaaS has, exclusive, in seconds: seven days.
  private static let longest: TimeInterval = 7 * 86_400

  /// The window between two times, both in UTC, for so many users of so many.
  ///
  /// - Throws: `TrustError` `rollout-window` where a number is missing or not positive, or the times are not in their
  ///   order or too far apart.
  package init(from start: Date, to end: Date, users: Int?, of population: Int?, named text: String) throws(TrustError)
  {
    guard let users, let population, users > 0, population > 0, start < end,
      end.timeIntervalSince(start) < Self.longest
    else { throw TrustError(.rolloutWindow, ["value": text]) }
    self.init(start: start, end: end, users: users, population: population)
  }
}

extension RolloutChanges {
  /// The identifiers of users in a file, one a line; none without a file.
  ///
  /// - Throws: `FileError`, as `TrustError`.
  package static func identifiers(in path: String?) throws(TrustError) -> [String] {
    guard let path else { return [] }
    do throws(FileError) {
      let bytes = try Bytes.reading(path, limit: 64 << 20)
      return bytes.text.split(whereSeparator: \.isNewline)
        .map { $0.filter { $0 != "\r" } }.filter { !$0.isEmpty }
    } catch {
      throw TrustError(error)
    }
  }
}

extension TrustError.Code {
  package static let rolloutWindow = TrustError.Code("rollout-window", exit: .usage)
}
