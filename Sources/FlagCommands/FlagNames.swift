import ArgumentParser
import CommandKit
import LogCommands
import MPaaSFlagPublishing
import MPaaSFlags
import MPaaSProtocol
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension CompletionKind {
  /// The flags of the state that a command would read.
  static var flagNames: CompletionKind {
    candidates { input in
      let state = try TypedFlags(input).state()
      return Candidates(state?.flags.map { Candidate($0.name, $0.summary ?? $0.type ?? "") } ?? [])
    }
  }

  /// The versions of the server that a command would ask, the newest first.
  static var flagVersions: CompletionKind {
    candidates { input in
      let page: FlagHistoryPage? = try TypedFlags(input).answer(FlagPaths.history)
      return Candidates(page?.versions.map { Candidate("\($0.version)", "\($0.author)  \($0.comment)") } ?? [])
    }
  }

  /// The proposals that may still be approved, published and withdrawn.
  static var flagProposals: CompletionKind {
    candidates { input in
      let page: FlagProposalPage? = try TypedFlags(input).answer(FlagPaths.proposals)
      let open = page?.proposals.filter { !$0.state.isFinal } ?? []
      return Candidates(open.map { Candidate($0.id, "\($0.author)  \($0.comment)") })
    }
  }
}

/// The flags of a command that is being typed: of the file that it names, or of the server.
private struct TypedFlags {
  let input: CompletionInput

  init(_ input: CompletionInput) { self.input = input }

  func state() throws -> FlagState? {
    if let file = input.option("--state") {
      let bytes = try Bytes.reading(file, limit: FlagState.Limit.bytes)
      return try FlagState(json: bytes.buffer)
    }
    return try body(FlagPaths.flags).map { try WrittenFlags($0).state }
  }

  func answer<Answer: Decodable>(_ path: String) throws -> Answer? {
    try body(path).map { try JSONDecoder().decode(Answer.self, from: Data($0)) }
  }

  private func body(_ path: String) throws -> [UInt8]? {
    let words = ["app", "environment"].compactMap { name in
      input.option("--" + name).map { name + "=" + PercentEncoding.encode($0) }
    }
    return try TypedServer(input)?.body(path + (words.isEmpty ? "" : "?" + words.joined(separator: "&")))
  }
}
