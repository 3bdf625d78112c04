import MPaaSFlagTools
import MPaaSProtocol
import MPaaSSupport
import NIOCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Values of flags as they go over the wire and into the database.
enum FlagWire {
  /// The changes that a version names in a list.
  static let shortened = 20

  static func text(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Values of ours have neither infinities nor cycles, the only things that are no JSON.
    return String(decoding: (try? encoder.encode(value)) ?? Data("null".utf8), as: UTF8.self)
  }

  static func differences(_ text: String) -> [FlagDifference] {
    (try? JSONDecoder().decode([FlagDifference].self, from: Data(text.utf8))) ?? []
  }

  /// The first of the differences of a text, without their members; the rest of it is not read.
  static func beginning(_ text: String) -> [FlagDifference] {
    var text = text
    return text.withUTF8 { bytes in
      var skim = JSONSkim(UnsafeRawBufferPointer(bytes))
      var found: [FlagDifference] = []
      _ = skim.array { index, skim in
        guard index < shortened, let difference = difference(&skim) else { return false }
        found.append(difference)
        return true
      }
      return found
    }
  }

  private static func difference(_ skim: inout JSONSkim) -> FlagDifference? {
    var (kind, subject, name) = ("", "", "")
    let isRead = skim.object { member, skim in
      if skim.isName(member, "kind") {
        kind = skim.string() ?? ""
      } else if skim.isName(member, "subject") {
        subject = skim.string() ?? ""
      } else if skim.isName(member, "name") {
        name = skim.string() ?? ""
      } else {
        return skim.skip()
      }
      return true
    }
    guard isRead, let known = FlagDifference.Kind(rawValue: kind) else { return nil }
    return FlagDifference(kind: known, subject: subject, name: name)
  }

  /// The message that tells operators of a version.
  static func message(_ version: FlagVersion) -> ByteBuffer {
    ServerSentEvent.message("version", id: version.version, text(version.shortened(to: shortened)))
  }
}

extension FlagDifference {
  /// The difference that an edit makes.
  init(_ edit: FlagEdit) {
    let change = edit.change
    self.init(
      kind: Kind(rawValue: change.kind.rawValue) ?? .changed, subject: change.subject, name: change.name,
      members: change.members.map { Member(member: $0.member, before: $0.before, after: $0.after) })
  }
}
