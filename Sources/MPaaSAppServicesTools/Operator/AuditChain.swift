import MPaaSDigests
package import MPaaSProtocol
package import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Entries of an audit log that are held against one another as they come.
package struct AuditChain: Sendable {
  /// The number and the digest of the entry before; those of the beginning where there is none.
  package private(set) var number: Int64 = 0
  package private(set) var digest = AuditEntry.beginning

  package init() {}

  /// Takes the next entry.
  ///
  /// - Throws: `audit-broken` with the number of an entry that is missing, was changed, or stands elsewhere.
  package mutating func take(_ entry: AuditEntry) throws(AppServiceToolError) {
    guard entry.number == number + 1 else {
      throw AppServiceToolError(.auditBroken, ["number": String(number + 1), "found": String(entry.number)])
    }
    guard entry.text(after: digest).utf8.sha256.hexadecimal == entry.digest else {
      throw AppServiceToolError(.auditBroken, ["number": String(entry.number), "found": entry.digest])
    }
    (number, digest) = (entry.number, entry.digest)
  }

  /// The entries of a file, a JSON object a line.
  ///
  /// - Throws: `audit-malformed` with the line.
  package static func entries(lines text: String, of file: String) throws(AppServiceToolError) -> [AuditEntry] {
    var entries: [AuditEntry] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() where !line.isEmpty
    {
      guard let entry = try? JSONDecoder().decode(AuditEntry.self, from: Data(line.utf8)) else {
        throw AppServiceToolError(.auditMalformed, ["path": file, "line": String(index + 1)])
      }
      entries.append(entry)
    }
    return entries
  }
}

/// Names the errors of the tools of app services.
package enum AppServiceToolDomain {}

/// The reason why a file of the console is not what it should be.
package typealias AppServiceToolError = CodedError<AppServiceToolDomain>

extension CodedError<AppServiceToolDomain>.Code {
  /// An entry of the audit log is missing or was changed.
  package static var auditBroken: Self { .refused("audit-broken") }
  /// A line is no entry of the audit log.
  package static var auditMalformed: Self { .malformed("audit-malformed") }
}
