import MPaaSSupport

/// Steps of the start of a server.
enum StartStep {
  /// Does a step of the start that writes; a full disk leaves it out, so that what is stored can be read.
  static func unlessFull(_ step: () throws -> Void) throws {
    do {
      try step()
    } catch  where Refusal(any: error)?.error.code == .full {}
  }

  /// Does a step of the start that writes; a full disk leaves it out, so that what is stored can be read.
  static func unlessFull(_ step: () async throws -> Void) async throws {
    do {
      try await step()
    } catch  where Refusal(any: error)?.error.code == .full {}
  }
}
