import ArgumentParser
import CommandKit

extension CompletionKind {
  /// Names in the project that is the first argument of an edit.
  static func editedProject(_ names: @escaping @Sendable (ProjectContents) -> [String]) -> CompletionKind {
    values { input in
      guard let path = input.arguments.first else { return [] }
      return switch try XcodeProjectSource(path).content {
      case .objects(let file): names(ProjectContents(file))
      case .json(let file): names(ProjectContents(file))
      }
    }
  }
}
