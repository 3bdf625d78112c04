import MPaaSConfig
import MPaaSPattern
package import MPaaSSupport

/// The list of a bundle's sealed files: `_CodeSignature/CodeResources`.
///
/// - Source: the files themselves. `files2` and `rules2` count where they are there, else `files` and `rules`.
package struct SealedResources: Sendable {
  /// A file as it was sealed.
  package struct Entry: Sendable, Equatable {
    package enum Seal: Sendable, Equatable {
      /// Digests of the content: of 20 bytes by SHA-1, of 32 by SHA-256.
      case digests([[UInt8]])
      /// The destination of a symbolic link.
      case link(String)
      /// The cdhash of nested code.
      case code([UInt8])
    }
    package let path: String
    package let seal: Seal
    package let isOptional: Bool
  }

  /// The part that the rules give a path.
  package enum Expectation: Sendable, Equatable {
    case sealed, omitted, nested
  }

  package let entries: [String: Entry]
  private let rules: [ResourceRule]

  private static let mostEntries = 200_000
  private static let mostRules = 256
  private static let mostBytes = 64 << 20

  /// Reads the list.
  ///
  /// - Throws: `CodeSignatureError` `badPropertyList`.
  package init(_ bytes: Bytes) throws(CodeSignatureError) {
    guard bytes.count <= Self.mostBytes else {
      throw CodeSignatureError(.tooMany, offset: 0, value: UInt64(bytes.count))
    }
    guard let root = try? PropertyListFile(bytes.array, file: "CodeResources").root,
      let files = (root["files2"] ?? root["files"])?.members,
      let rules = (root["files2"] == nil ? root["rules"] : root["rules2"])?.members
    else { throw CodeSignatureError(.badPropertyList, offset: 0) }
    guard files.count <= Self.mostEntries, rules.count <= Self.mostRules else {
      throw CodeSignatureError(.tooMany, offset: 0, value: UInt64(files.count))
    }
    var entries: [String: Entry] = [:]
    entries.reserveCapacity(files.count)
    for file in files {
      guard let entry = Entry(file) else { throw CodeSignatureError(.badPropertyList, offset: 0) }
      entries[file.key] = entry
    }
    self.entries = entries
    self.rules = rules.compactMap { ResourceRule($0) }
  }

  /// Tells what the rules have a path be; paths count from the bundle's root, or its `Contents`.
  package func expectation(of path: String) -> Expectation {
    // What signs, and stores' receipts, cannot be sealed by themselves.
    if path.hasPrefix("_CodeSignature/") || path.hasPrefix("_MASReceipt/") || path == "CodeResources" {
      return .omitted
    }
    var best: ResourceRule?
    for rule in rules where rule.goesBefore(best) && rule.pattern.matches(path) { best = rule }
    guard let best, !best.isOmitted else { return .omitted }
    return best.isNested ? .nested : .sealed
  }
}

extension SealedResources.Entry {
  init?(_ member: PropertyListMember) {
    path = member.key
    let value = member.value
    isOptional = value["optional"]?.boolean ?? false
    if case .data(let digest) = value.content {
      seal = .digests([digest])
    } else if let link = value["symlink"]?.string {
      seal = .link(link)
    } else if case .data(let digest)? = value["cdhash"]?.content {
      seal = .code(digest)
    } else {
      let digests = ["hash", "hash2"].compactMap { key -> [UInt8]? in
        if case .data(let digest)? = value[key]?.content { digest } else { nil }
      }
      guard !digests.isEmpty else { return nil }
      seal = .digests(digests)
    }
  }
}
