package import MPaaSSupport
package import MPaaSTerminal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Work on its way from one program to the other, with how its output is to look.
package struct HandedWork<Work: ServedWork>: Codable, Sendable {
  package let head: HandedWorkHead
  package let work: Work

  init(_ work: Work, _ settings: OutputSettings, _ language: Language) {
    head = HandedWorkHead(name: Work.name, settings: settings, language: language.rawValue)
    self.work = work
  }

  func json() throws -> Bytes { Bytes(Array(try JSONEncoder().encode(self))) }
}

/// All that is known of work before its kind is.
package struct HandedWorkHead: Codable, Sendable {
  package let name: String
  package let settings: OutputSettings
  /// A tag of `Language`.
  package let language: String
}

/// Work as it came from the other program, its kind not yet known.
package struct ReceivedWork: Sendable {
  package let head: HandedWorkHead
  private let json: Bytes

  private struct Envelope: Decodable {
    let head: HandedWorkHead
  }

  /// - Throws: What a decoder throws where the bytes are none of `HandedWork`.
  package init(_ json: Bytes) throws {
    self.json = json
    head = try JSONDecoder().decode(Envelope.self, from: Data(json.array)).head
  }

  package func work<Work: ServedWork>(_ kind: Work.Type) throws -> Work {
    try JSONDecoder().decode(HandedWork<Work>.self, from: Data(json.array)).work
  }
}
