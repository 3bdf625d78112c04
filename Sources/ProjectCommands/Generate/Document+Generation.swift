import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

/// A thing that was passed over, as `--json` tells it.
struct GenerationNote: Encodable {
  let id: String
  let place: String
  let values: [String: String]

  init(_ error: GenerationError) {
    id = error.code.id.name
    place = error.place.map(\.description) ?? ""
    values = error.values
  }
}

extension Document {
  /// A line for each file that was written, or what the files say; then nothing else should stand in the document.
  mutating func files(_ files: [GeneratedFiles.File], _ catalogue: Catalogue) -> Bool {
    for file in files {
      guard let text = file.text else {
        var line = StyledText(catalogue.text("text.generate-model-\(file.state.rawValue)") + " ")
        line.append(file.path, .path)
        self.line(line)
        continue
      }
      for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        self.line(StyledText(verbatim: String(line)))
      }
    }
    return files.contains { $0.text != nil }
  }

  /// A line for each thing that was passed over.
  mutating func notes(_ notes: [GenerationError], _ catalogue: Catalogue) {
    for note in notes {
      let place = note.place.map { $0.description + ": " } ?? ""
      let texts =
        [catalogue.sentence(note.code.id.name, note.values)]
        + note.details.map { catalogue.text($0.key, $0.values) }
      line(StyledText(place + texts.joined(separator: " "), .warning))
    }
  }
}
