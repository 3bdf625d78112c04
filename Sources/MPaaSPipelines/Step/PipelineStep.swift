package import MPaaSProject

/// A step of a pipeline: a line of shell with a name.
package struct PipelineStep: Sendable, Equatable {
  /// Lower-case letters, digits and hyphens, a letter or digit first; at most 60.
  package let name: String
  package let title: BilingualText
  /// The line, as it also runs by hand in the project's folder.
  package let line: String
  /// The variables of the environment without which the step is passed over.
  package let needs: [String]

  package init(name: String, title: BilingualText? = nil, line: String, needs: [String] = []) {
    self.name = name
    self.title = title ?? BilingualText(english: name, simplifiedChinese: nil)
    self.line = line
    self.needs = needs
  }

  package static func isName(_ text: String) -> Bool {
    text.first.map { $0 != "-" } ?? false && text.utf8.count <= 60
      && text.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d }
  }

  /// The needed variables that are not set, or empty.
  package func missing(in environment: [String: String]) -> [String] {
    needs.filter { (environment[$0] ?? "").isEmpty }
  }
}
