package import MPaaSSupport

/// The sentences of a build: the plug-in's tool has no catalog of texts, and compilers speak English.
///
/// A test holds them against the catalogue.
package enum EnglishSentences {
  package static let all: [String: String] = [
    "plist-format": "{file} is a property list in the {format} format; only XML is read here.",
    "plist-encoding": "{file} is not text in its encoding.",
    "plist-character": "The character {character} cannot stand in an XML property list.",
    "plist-markup": "This is not XML: {text}.",
    "plist-reference": "{text} stands for no character.",
    "plist-element": "<{element}> cannot stand here in a property list.",
    "plist-unclosed": "<{element}> is never closed.",
    "plist-closing": "{found} stands where {expected} should, which closes the <{element}> of line {line}.",
    "plist-text": "The text \"{text}\" stands between elements.",
    "plist-key-missing": "<{element}> stands in a dictionary without a key.",
    "plist-value-missing": "The key \"{key}\" has no value.",
    "plist-value": "\"{text}\" is no <{element}>.",
    "plist-too-deep": "Arrays and dictionaries nest deeper than {limit} levels.",
    "plist-empty": "{file} is a property list without a value.",
    "plist-second-value": "<{element}> stands behind the end of the property list.",
    "plist-path": "{file} has nothing at {path} that could be changed.",
    "plist-edit": "An edit of {file} did not come out as it was meant to; nothing was changed.",
    "runtime-type": "{key} is a <{expected}>, not a <{found}>.",
    "runtime-member": "An entry of {section} has no {key}.",
    "runtime-name-taken": "{name} stands in {file} already, for {owner}.",
    "runtime-class-missing": "Class '{class}' of {role} '{name}' is not declared in target '{target}'.",
    "runtime-class-kind": "'{class}' of {role} '{name}' is {found}; it must be a class that is not generic.",
    "runtime-class-private": "'{class}' of {role} '{name}' is {access}, so that the table cannot name it.",
    "runtime-class-conformance": "'{class}' of {role} '{name}' does not seem to conform to '{protocol}'.",
    "runtime-protocol-missing": "Protocol '{class}' of service '{name}' is not declared in target '{target}'.",
    "runtime-duplicate": "{role} '{name}' is registered already, at {other}.",
    "runtime-launcher": "No application is called '{name}', which is to be started first.",
    "runtime-unknown-key": "The key '{key}' says nothing to the framework.",
    "runtime-registered-twice": "'{class}' registers itself and stands in {file} too; the entry there counts.",
  ]

  /// The sentence of a diagnostic, with what it suggests.
  package static func sentence(_ diagnostic: Diagnostic) -> String {
    var text = all[diagnostic.id.name] ?? diagnostic.id.name
    for (name, value) in diagnostic.values { text = text.replacing(all: "{\(name)}", with: value) }
    guard let suggestion = diagnostic.values["suggestion"] else { return text }
    let place = diagnostic.values["suggestion_place"].map { " (\($0))" } ?? ""
    return text + " Did you mean '\(suggestion)'\(place)?"
  }
}
