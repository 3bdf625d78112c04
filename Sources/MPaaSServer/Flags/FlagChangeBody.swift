import MPaaSFlags
import MPaaSProtocol
import MPaaSSupport

/// The body of a request for a change, with its events as they were written.
enum FlagChangeBody {
  private static let longestComment = 4096

  /// - Throws: `flags-malformed`, `server-bad-request` naming the member that is wrong.
  static func read(_ body: [UInt8]) throws -> FlagChangeRequest {
    try body.withUnsafeBytes { bytes in
      var skim = JSONSkim(bytes, isStrict: true)
      var parts = Parts()
      guard parts.read(&skim), skim.isAtEnd() else {
        try check(bytes)
        throw Refusal(.badRequest, ["reason": parts.wrong])
      }
      if let fault = FlagText.fault(in: bytes) { throw malformed(fault) }
      return try parts.request()
    }
  }

  private static func check(_ bytes: UnsafeRawBufferPointer) throws {
    do {
      _ = try JSONValue(reading: bytes)
    } catch {
      throw malformed(error)
    }
  }

  private static func malformed(_ error: JSONError) -> FlagError {
    FlagError(.malformed, ["line": "\(error.line)", "column": "\(error.column)", "reason": error.code.rawValue])
  }

  private struct Parts {
    var comment = ""
    var base: Int?
    var at: Double?
    var rollback: Int?
    var events: String?
    /// The member that is not what it should be.
    var wrong = "events, rollback"

    mutating func read(_ skim: inout JSONSkim) -> Bool {
      skim.object { name, skim in
        let member = skim.text(name) ?? ""
        let start = skim.offset
        guard skim.skip() else { return false }
        return take(member, UnsafeRawBufferPointer(rebasing: skim.bytes[start..<skim.offset]))
      }
    }

    private mutating func take(_ member: String, _ bytes: UnsafeRawBufferPointer) -> Bool {
      wrong = member
      if bytes.first == UInt8(ascii: "n") { return true }
      switch member {
      case "events":
        guard bytes.first == UInt8(ascii: "[") else { return false }
        events = String(decoding: bytes, as: UTF8.self)
        return true
      case "comment", "base", "at", "rollback":
        guard let value = try? JSONValue(reading: bytes) else { return false }
        return take(member, value)
      default: return true
      }
    }

    private mutating func take(_ member: String, _ value: JSONValue) -> Bool {
      switch member {
      case "comment":
        guard let text = value.string, text.utf8.count <= longestComment else { return false }
        comment = text
      case "at":
        guard let seconds = value.double, seconds.isFinite, seconds >= 0 else { return false }
        at = seconds
      default:
        guard let number = value.integer(Int32.self), number >= 0 else { return false }
        if member == "base" { base = Int(number) } else { rollback = Int(number) }
      }
      return true
    }

    func request() throws -> FlagChangeRequest {
      switch (events, rollback) {
      case (let events?, nil): return FlagChangeRequest(.events(events), comment: comment, base: base, at: at)
      case (nil, let version?): return FlagChangeRequest(.rollback(version), comment: comment, base: base, at: at)
      default: throw Refusal(.badRequest, ["reason": "events, rollback"])
      }
    }
  }
}
