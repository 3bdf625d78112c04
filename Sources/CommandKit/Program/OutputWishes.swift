import MPaaSTerminal
import ServingKit

/// The wishes of a call for its output: by the common options, or by arguments that did not parse.
struct OutputWishes {
  var json = false
  var color: OutputSettings.Colour?
  var quiet = false
  var verbose = false
  var noInput = false

  /// The settings by the options first, then by `MPAAS_JSON`, `MPAAS_COLOR`, `MPAAS_QUIET`, `MPAAS_VERBOSE`, `MPAAS_NO_INPUT`.
  func settings(environment: [String: String]) -> OutputSettings {
    let colour = color ?? environment["MPAAS_COLOR"].flatMap(OutputSettings.Colour.init(rawValue:)) ?? .auto
    let isQuiet = quiet || (!verbose && environment.isSet("MPAAS_QUIET"))
    let isVerbose = verbose || environment.isSet("MPAAS_VERBOSE")
    return OutputSettings(
      isJSON: json || environment.isSet("MPAAS_JSON"), colour: colour,
      verbosity: isQuiet ? .quiet : isVerbose ? .verbose : .normal,
      allowsInput: !(noInput || environment.isSet("MPAAS_NO_INPUT")))
  }
}

extension OutputWishes {
  /// The wishes by arguments that did not parse, so that even that error has the right form.
  init(scanning arguments: [String]) {
    let own = arguments.prefix { $0 != "--" }
    json = own.contains("--json")
    quiet = own.contains("--quiet") || own.contains("-q")
    for (index, argument) in own.enumerated() {
      if argument == "--color", index + 1 < own.count { color = .init(rawValue: own[index + 1]) }
      if argument.hasPrefix("--color=") { color = .init(rawValue: String(argument.dropFirst(8))) }
    }
  }
}
