/// The form of a run's output: as a host of pipelines groups it, or plain.
package enum PipelineFormat: String, Sendable, CaseIterable {
  case plain, github, gitlab

  /// The format that the environment asks for.
  package init(environment: [String: String]) {
    if environment["GITHUB_ACTIONS"] == "true" {
      self = .github
    } else if environment["GITLAB_CI"] == "true" {
      self = .gitlab
    } else {
      self = .plain
    }
  }
}
