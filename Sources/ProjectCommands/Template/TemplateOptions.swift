package import ArgumentParser
package import CommandKit
import KeyCommands
package import MPaaSProject
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport
import MPaaSTrust
import MPaaSTrustTools

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The sources of templates, and the kit that what is made builds on.
package struct TemplateSourceOptions: ParsableArguments {
  @Option(help: .text("command.template.from", valueName: "folder|archive|url[#ref]"), completion: .file())
  package var from: String?

  @Option(help: .text("command.template.kit", valueName: "folder|url"), completion: .directory)
  package var kit: String?

  package init() {}
}

/// Values of a template's variables.
package struct TemplateSettingOptions: ParsableArguments {
  @Option(name: .customLong("set"), help: .text("command.template.set", valueName: "name=value"))
  var settings: [String] = []

  package init() {}

  /// The values by variable; the last of a name counts.
  package func values() throws -> [String: String] {
    var values: [String: String] = [:]
    for setting in settings {
      guard let sign = setting.firstIndex(of: "="), sign != setting.startIndex else {
        throw Diagnostic("template-set-malformed", ["value": String(setting.prefix(60))], exit: .usage)
      }
      values[String(setting[..<sign])] = String(setting[setting.index(after: sign)...])
    }
    return values
  }
}

extension Context {
  /// The kit that was asked for or is found; see `Kit.locate`.
  package func kit(_ wish: String?) throws -> Kit {
    try Kit.locate(wish, environment: environment, executable: Executable.current())
  }

  /// The folders with templates: the user's, the kit's.
  func templatePlaces(_ kit: Kit?) -> [TemplateShelf.Place] {
    let own = TemplateShelf.Place(folder: directories.configuration + "/templates", origin: "user")
    return [own] + (kit?.templates.map { [.init(folder: $0, origin: "kit")] } ?? [])
  }

  /// Hands over the templates of what `--from` named, else the user's and the kit's.
  package func withShelf<Value>(
    _ from: String?, kit: Kit?, _ body: (TemplateShelf) throws(TemplateError) -> Value
  ) throws(TemplateError) -> Value {
    let usual = templatePlaces(kit)
    guard let from else { return try body(TemplateShelf(usual)) }
    return try TemplateSource(from).open(temporary: directories.temporary) { (folder) throws(TemplateError) in
      try body(TemplateShelf([.init(folder: folder, origin: from)], bases: usual))
    }
  }

  /// Asks for a value that has no default; nil where there is no person to ask.
  func ask(_ variable: TemplateVariable) -> String? {
    let language = catalogue.language.rawValue
    let choices = variable.choices.isEmpty ? "" : " (" + variable.choices.joined(separator: ", ") + ")"
    return terminal.ask((variable.prompt?.text(language) ?? variable.name) + choices)
  }

  /// The user's name in git; empty where it does not know.
  var author: String {
    let name = try? ProcessRunner.live.run(.init("git", ["config", "--get", "user.name"], capturesOutput: true))
    let text = name.map { String($0.output.prefix { !$0.isNewline }) } ?? ""
    return text.isPlainText ? text : ""
  }

  /// A public key for hotpatches, as templates place it: one of the store by its name, else a file's.
  func hotpatchKey(_ word: String) throws -> [String: String] {
    let record: KeyRecord
    if FileStatus(word)?.kind == .file {
      let key = try VerificationKey.reading(word)
      let name = FileSystem.name(of: word).prefix { $0 != "." }
      record = KeyRecord(name: String(name), publicKey: .signing(key), created: now())
    } else {
      record = try keys.anyRecord(word).record
    }
    let key = try record.publicKey.verificationKey()
    return [
      "key_name": record.name, "key_id": key.keyID, "key_pem": key.pem,
      "key_minisign": (try? record.text(.minisign)) ?? "",
      "key_base64": Data(key.subjectPublicKeyInfo).base64EncodedString(),
      "key_scheme": key.scheme.rawValue,
    ]
  }

  /// The year now, in UTC.
  package var year: String {
    let seconds = now().timeIntervalSince1970.rounded(.down)
    return String(CivilDate.at(secondsSince1970: Int(seconds)).date.year)
  }
}
