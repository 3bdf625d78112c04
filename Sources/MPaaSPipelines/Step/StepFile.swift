import MPaaSProject
package import MPaaSSupport
import MPaaSTOML

/// The steps of a project's pipeline: the contents of `mpaas-ci.toml`.
package struct StepFile: Sendable, Equatable {
  package static let name = "mpaas-ci.toml"
  /// Bytes.
  package static let limit = 1 << 20

  package let steps: [PipelineStep]

  /// Reads the file's text.
  ///
  /// - Parameter file: The path that errors name.
  /// - Throws: `PipelineError` with the line: `ci-steps-malformed`, `ci-steps-newer`, `ci-step-twice`.
  package init(_ text: String, file: String) throws(PipelineError) {
    let document: TOMLDocument
    do throws(TOMLError) { document = try TOMLDocument(text, file: file) } catch { throw PipelineError(error) }
    let version = document.values["version"]?.integer(Int.self) ?? 1
    guard version == 1 else {
      throw PipelineError(.stepsNewer, ["file": file, "version": String(version)], at: .file(file))
    }
    guard let tables = document.values["step"]?.array else {
      throw PipelineError(.stepsMalformed, ["file": file, "key": "step"], at: .file(file))
    }
    var steps: [PipelineStep] = []
    for (index, table) in tables.enumerated() {
      let line = document.line(ofElement: index, in: ["step"])
      let place = line.map { Place.text(file: file, line: $0, column: nil) } ?? .file(file)
      let step = try Self.step(table.object ?? [:], file, place)
      guard !steps.contains(where: { $0.name == step.name }) else {
        throw PipelineError(.stepTwice, ["file": file, "name": step.name], at: place)
      }
      steps.append(step)
    }
    self.steps = steps
  }

  /// Reads the file of a project's folder.
  ///
  /// - Throws: `PipelineError` `ci-steps-missing`, and of what is wrong with it.
  package init(in folder: String) throws(PipelineError) {
    let file = folder == "." ? Self.name : folder + "/" + Self.name
    guard FileStatus(file)?.kind == .file else {
      throw PipelineError(.stepsMissing, ["file": file], at: .file(file))
    }
    let bytes: Bytes
    do throws(FileError) { bytes = try Bytes.reading(file, limit: Self.limit) } catch { throw PipelineError(error) }
    try self.init(String(decoding: bytes.array, as: UTF8.self), file: file)
  }

  /// The first folder from here upwards with such a file; nil where there is none.
  package static func folder(above start: String) -> String? {
    guard let here = FileSystem.resolved(start) else { return nil }
    var folder = here
    while true {
      let file = (folder == "/" ? "" : folder) + "/" + name
      if FileStatus(file)?.kind == .file { return folder == here ? start : folder }
      guard folder != "/" else { return nil }
      folder = FileSystem.folder(of: folder)
    }
  }

  /// The steps that names stand for, in the order of the file; all without any.
  ///
  /// - Throws: `PipelineError` `ci-step-unknown`.
  package func steps(named names: [String]) throws(PipelineError) -> [PipelineStep] {
    let known = steps.map(\.name)
    for name in names where !known.contains(name) {
      let suggestion = closestMatch(to: name, among: known) ?? known.first ?? ""
      throw PipelineError(
        .stepUnknown,
        ["name": String(name.prefix(60)), "known": known.joined(separator: ", "), "suggestion": suggestion])
    }
    return names.isEmpty ? steps : steps.filter { names.contains($0.name) }
  }
}

extension StepFile {
  private static func step(
    _ table: JSONValue.Object, _ file: String, _ place: Place
  ) throws(PipelineError) -> PipelineStep {
    func wrong(_ key: String) -> PipelineError {
      PipelineError(.stepsMalformed, ["file": file, "key": "step." + key], at: place)
    }
    guard let name = table["name"]?.string, PipelineStep.isName(name) else { throw wrong("name") }
    guard let line = table["run"]?.string, !line.isEmpty, !line.utf8.contains(0) else { throw wrong("run") }
    let names = table["needs"] ?? .array([])
    let needs = (names.array ?? []).compactMap(\.string)
    guard needs.count == names.array?.count, needs.allSatisfy(isVariable) else { throw wrong("needs") }
    return PipelineStep(name: name, title: try title(table["title"], wrong), line: line, needs: needs)
  }

  private static func title(
    _ value: JSONValue?, _ wrong: (String) -> PipelineError
  ) throws(PipelineError) -> BilingualText? {
    guard let value else { return nil }
    let english = value.string ?? value.object?["en"]?.string
    let chinese = value.object?["zh-Hans"]?.string
    let texts = [english, chinese].compactMap(\.self)
    guard !texts.isEmpty, texts.joined().isPlainText else { throw wrong("title") }
    return BilingualText(english: english ?? "", simplifiedChinese: chinese)
  }

  private static func isVariable(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x5f }
  }
}

extension PipelineError.Code {
  package static var stepsMissing: Self { Self("ci-steps-missing", exit: .inputMissing) }
  package static var stepsMalformed: Self { malformed("ci-steps-malformed") }
  package static var stepsNewer: Self { malformed("ci-steps-newer") }
  package static var stepTwice: Self { malformed("ci-step-twice") }
  package static var stepUnknown: Self { Self("ci-step-unknown", exit: .usage) }
}
