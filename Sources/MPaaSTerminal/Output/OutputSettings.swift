/// The choices that hold for all that a command prints.
package struct OutputSettings: Codable, Sendable {
  package enum Colour: String, Codable, Sendable, CaseIterable {
    case auto, always, never
  }

  package enum Verbosity: Int, Codable, Sendable, Comparable {
    case quiet, normal, verbose

    package static func < (left: Verbosity, right: Verbosity) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  package var isJSON: Bool
  package var colour: Colour
  package var verbosity: Verbosity
  package var allowsInput: Bool

  package init(
    isJSON: Bool = false, colour: Colour = .auto, verbosity: Verbosity = .normal, allowsInput: Bool = true
  ) {
    self.isJSON = isJSON
    self.colour = colour
    self.verbosity = verbosity
    self.allowsInput = allowsInput
  }

  /// Tells whether a stream gets colour: `--color` first, then `NO_COLOR`, `CLICOLOR_FORCE`, `TERM=dumb`, then whether
  /// it is a terminal.
  ///
  /// Source: no-color.org, bixense.com/clicolors.
  package func hasColour(_ stream: OutputStream, environment: [String: String]) -> Bool {
    switch colour {
    case .always: return true
    case .never: return false
    case .auto: break
    }
    if let value = environment["NO_COLOR"], !value.isEmpty { return false }
    if let value = environment["CLICOLOR_FORCE"], !value.isEmpty, value != "0" { return true }
    return stream.isTerminal && environment["TERM"] != "dumb"
  }
}
