import MPaaSSupport

/// Work that serves or proxies, as a command wants it done.
///
/// Only the second program does it, which has the libraries for that (`ServerBinary`); there its type conforms to
/// `PerformedWork` too. So `mpaas` reads the words of all commands and holds nothing of what serving needs.
package protocol ServedWork: Sendable {
  associatedtype Output: Sendable
}

/// Work that this program does; the conformances stand in targets of the second program.
package protocol PerformedWork<Output>: ServedWork {
  /// Does the work; results that come before its end go to a sink that the work has from its command.
  func perform(in context: Context) async throws -> Output
}

extension Context {
  /// Does work of the second program: here where this is that one, else it takes this one's place with the same call.
  ///
  /// - Parameter work: What is to be done; it is made in the second program only, so that nothing is read twice.
  /// - Throws: `serve-binary-missing`, `serve-binary-fails`, and what the work throws.
  package func served<Work: ServedWork>(_ work: () async throws -> Work) async throws -> Work.Output {
    guard Work.self is any PerformedWork.Type else {
      throw try ServerBinary(environment: environment).becomeSameCall()
    }
    guard let work = try await work() as? any PerformedWork<Work.Output> else {
      throw Diagnostic("internal-fault", ["reason": "\(Work.self)"], exit: .internalFault)
    }
    return try await work.perform(in: self)
  }
}
