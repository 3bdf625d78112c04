/// The paths of flags on the server.
package enum FlagPaths {
  /// Operators: the state; below it `changes`, `history`, `proposals`, `environments`, `watch` and `usage`.
  package static let flags = "/api/v1/flags"
  package static let changes = flags + "/changes"
  package static let history = flags + "/history"
  package static let proposals = flags + "/proposals"
  package static let environments = flags + "/environments"
  package static let watch = flags + "/watch"
  package static let usage = flags + "/usage"
  /// The base of Unleash's client API: `/client/features`, `/client/streaming`, `/frontend` and others below it.
  package static let unleash = "/unleash/api"
  /// OpenFeature's remote evaluation: `/evaluate/flags` below it.
  package static let remoteEvaluation = "/ofrep/v1"
}
