/// A system that runs pipelines, with the file that it reads.
package enum PipelineSystem: String, Sendable, CaseIterable {
  case github, gitlab, jenkins, make

  /// The path of its file from the project's folder.
  package var file: String {
    switch self {
    case .github: ".github/workflows/mpaas.yml"
    case .gitlab: ".gitlab-ci.yml"
    case .jenkins: "Jenkinsfile"
    case .make: "ci.mk"
    }
  }
}
