package import MPaaSFlagTools
package import MPaaSFlags
package import MPaaSProtocol
import MPaaSSupport

/// The way of a change into an environment.
package enum FlagWay: Sendable, Equatable {
  /// A new version at once.
  case change
  /// A proposal that others approve; published at a time in seconds since 1970, where there is one.
  case proposal(at: Double?)
}

/// The effect of a change.
package enum FlagOutcome: Sendable, Equatable {
  case version(FlagVersion)
  case proposal(FlagProposal)
}

extension FlagServer {
  /// Sends a change.
  package func send(
    _ content: FlagChangeRequest.Content, comment: String, base: Int? = nil, _ way: FlagWay
  ) async throws(FlagError) -> FlagOutcome {
    var request = FlagChangeRequest(content, comment: comment, base: base)
    guard case .proposal(let time) = way else { return .version(try await change(request)) }
    (request.base, request.at) = (nil, time)
    return .proposal(try await propose(request))
  }

  /// Changes a flag, or makes one.
  ///
  /// The flag is read again and changed as it is then where another change comes first.
  /// - Parameter isNew: Whether the flag must not be there, or must be.
  /// - Throws: `FlagError` `flags-absent`, `flags-exists`; what the edit or the server refuses.
  package func edit(
    _ name: String, _ edit: FlagAmendment, isNew: Bool, comment: String, _ way: FlagWay
  ) async throws(FlagError) -> FlagOutcome {
    var attempts = 0
    while true {
      let document = try await state()
      let feature = document.feature(name)
      if isNew, feature != nil { throw FlagError(.exists, ["flag": name]) }
      if !isNew, feature == nil { throw FlagError.absent(name, in: document.state) }
      let event = try edit.event(of: name, from: feature)
      do {
        let content = FlagChangeRequest.Content.events(JSONValue.array([event]).line)
        return try await send(content, comment: comment, base: document.version, way)
      } catch  where error.serverCode == "flags-version-conflict" && attempts < 4 {
        attempts += 1
      }
    }
  }

  /// Deletes flags.
  ///
  /// - Parameter force: Whether flags that others depend on are deleted, too, which turns those off.
  /// - Throws: `FlagError` `flags-absent`, `flags-needed`; what the server refuses.
  package func delete(
    _ names: [String], force: Bool, comment: String, _ way: FlagWay
  ) async throws(FlagError) -> FlagOutcome {
    let document = try await state()
    let gone = Set(names.map { ExactName($0) })
    for name in names {
      guard document.feature(name) != nil else { throw FlagError.absent(name, in: document.state) }
      let left = document.dependents(of: name).filter { !gone.contains(ExactName($0)) }
      guard force || left.isEmpty else {
        throw FlagError(.needed, ["flag": name, "flags": left.joined(separator: ", ")])
      }
    }
    let events = names.map { name -> JSONValue in ["type": "feature-removed", "featureName": .string(name)] }
    return try await send(
      .events(JSONValue.array(events).line), comment: comment, base: document.version, way)
  }
}

extension FlagError {
  /// The error that a state has no flag of a name, with the one that was probably meant.
  package static func absent(_ name: String, in state: FlagState) -> FlagError {
    guard let meant = closestMatch(to: name, among: state.flags.map(\.name)) else {
      return FlagError(.absent, ["flag": name])
    }
    return FlagError(.absentNear, ["flag": name, "suggestion": meant])
  }
}

extension FlagError.Code {
  /// The state has no such flag.
  package static var absent: Self { FlagError.Code("flags-absent", exit: .negative) }
  /// The same, where one is called nearly so.
  package static var absentNear: Self { FlagError.Code("flags-absent-near", exit: .negative) }
  /// A flag that is to be deleted is one that others depend on.
  package static var needed: Self { FlagError.Code("flags-needed", exit: .notPermitted) }
}
