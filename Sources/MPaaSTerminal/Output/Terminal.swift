package import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The one place that decides how results, notes, progress and errors look: text or JSON, colour, language.
package struct Terminal: Sendable {
  package let catalogue: Catalogue
  package let settings: OutputSettings
  package let output: OutputStream
  package let errors: OutputStream
  let outputStyle: TextStyle
  let errorStyle: TextStyle
  /// The style of a list on the terminal itself, wherever the results go.
  package let pickerStyle: TextStyle
  private let readLine: @Sendable () -> String?

  package init(
    catalogue: Catalogue, settings: OutputSettings, environment: [String: String],
    output: OutputStream = .standardOutput, errors: OutputStream = .standardError,
    readLine: @escaping @Sendable () -> String? = { Swift.readLine() }
  ) {
    self.catalogue = catalogue
    self.settings = settings
    self.output = output
    self.errors = errors
    self.readLine = readLine
    outputStyle = TextStyle(hasColour: settings.hasColour(output, environment: environment))
    errorStyle = TextStyle(hasColour: settings.hasColour(errors, environment: environment))
    let screen = OutputStream(isTerminal: true, width: { nil }, write: { _ in })
    pickerStyle = TextStyle(hasColour: settings.hasColour(screen, environment: environment))
  }

  // MARK: Results

  /// Color in results, by the settings and the stream.
  package var hasColour: Bool { outputStyle.hasColour }

  /// Prints a result to standard output: its document, or with `--json` its JSON.
  package func print(_ result: some Presentable) throws {
    if settings.isJSON {
      data.write(try Self.json(result, pretty: output.isTerminal) + "\n")
    } else {
      print(result.document(catalogue))
    }
  }

  package func print(_ document: Document) {
    let width = output.width()
    let lines = document.lines(width: width)
    let text = lines.map { outputStyle.render(output.isTerminal ? $0.visible : $0) + "\n" }.joined()
    if !text.isEmpty { output.write(text) }
  }

  /// The destination of data that a command writes by itself: as it is into pipes and files, with escapes onto a
  /// terminal.
  ///
  /// JSON stays JSON. Pieces should end where lines do: a character that is cut is shown as bytes.
  package var data: OutputStream {
    output.isTerminal ? output.escaping(settings.isJSON ? .json : .text) : output
  }

  /// One JSON document with snake_case keys in a stable order.
  ///
  /// Keys that are data (those of dictionaries) stay as they are, and integers that a double cannot hold are strings.
  package static func json(_ value: some Encodable, pretty: Bool = false) throws -> String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .custom { path in SnakeCaseKey(path) }
    encoder.outputFormatting =
      pretty ? [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes] : [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: LargeIntegers.quoted([UInt8](try encoder.encode(value))), as: UTF8.self)
  }

  // MARK: Notes and errors

  /// Says something beside the result, on standard error; `--quiet` leaves it out.
  package func note(_ text: StyledText) {
    guard settings.verbosity >= .normal else { return }
    errors.write(line(text))
  }

  /// Says what can be done next, on standard error; only a person at a terminal sees it.
  package func hint(_ text: StyledText) {
    guard errors.isTerminal, !settings.isJSON else { return }
    note(text)
  }

  /// Says what is being done; only `--verbose` shows it.
  package func detail(_ text: @autoclosure () -> StyledText) {
    guard settings.verbosity == .verbose else { return }
    errors.write(line(text()))
  }

  package func warning(_ diagnostic: Diagnostic) {
    guard settings.verbosity >= .normal else { return }
    errors.write(DiagnosticText(diagnostic, catalogue).lines(catalogue, isWarning: true).map(line).joined())
  }

  /// Prints a problem to standard error: `error:`, the place, `help:`; with `--json` the same as one object.
  package func error(_ diagnostic: Diagnostic) {
    let text = DiagnosticText(diagnostic, catalogue)
    if settings.isJSON, let json = try? Self.json(text.json) {
      (errors.isTerminal ? errors.escaping(.json) : errors).write(json + "\n")
    } else {
      let lines = text.lines(catalogue, isWarning: false, namesCode: settings.verbosity == .verbose)
      errors.write(lines.map(line).joined())
    }
  }

  /// A line for standard error.
  private func line(_ text: StyledText) -> String {
    errorStyle.render(errors.isTerminal ? text.visible : text) + "\n"
  }

  // MARK: Questions

  /// Asks a yes-or-no question.
  ///
  /// - Parameter option: The option that answers it without a question, such as `--force`.
  /// - Throws: `input-needed` where there is no person to ask: `--no-input`, no terminal, or `--json`.
  package func confirm(_ question: String, option: String) throws -> Bool {
    guard settings.allowsInput, !settings.isJSON, errors.isTerminal, isInteractive else {
      throw Diagnostic("input-needed", ["question": question, "option": option], exit: .usage)
    }
    errors.write(errorStyle.render(StyledText(question, .emphasis) + " [y/N] "))
    let answer = readLine()?.lowercased() ?? ""
    return ["y", "yes", "是"].contains(answer)
  }

  /// Asks for a line of text.
  ///
  /// - Returns: nil where there is no person to ask, or nothing was typed.
  package func ask(_ question: String) -> String? {
    guard settings.allowsInput, !settings.isJSON, errors.isTerminal, isInteractive else { return nil }
    errors.write(errorStyle.render(StyledText(question, .emphasis)) + ": ")
    return readLine().flatMap { $0.isEmpty ? nil : $0 }
  }

  private var isInteractive: Bool { StandardInput.isTerminal }
}
