import MPaaSSupport

/// Folders with templates, by the order in which they are looked through.
package struct TemplateShelf: Sendable {
  /// One template of a shelf, its manifest read.
  package struct Entry: Sendable {
    package let manifest: TemplateManifest
    package let folder: String
    /// `kit`, `user`, or what `--from` named.
    package let origin: String
  }

  package struct Place: Sendable {
    package let folder: String
    package let origin: String

    package init(folder: String, origin: String) {
      self.folder = folder
      self.origin = origin
    }
  }

  let places: [Place]
  /// The further places of templates that others extend.
  let bases: [Place]

  package init(_ places: [Place], bases: [Place] = []) {
    self.places = places
    self.bases = bases
  }

  /// The templates, those of earlier places first, sorted by name in each.
  ///
  /// A folder without a manifest is none; a manifest that cannot be read is an error of whoever asks for that template.
  package func entries(of kind: TemplateManifest.Kind? = nil) -> [Entry] {
    places.flatMap { place in
      Self.candidates(place.folder).compactMap { folder in
        guard let manifest = try? TemplateFolder.manifest(folder), !manifest.isAbstract,
          kind == nil || manifest.kind == kind
        else {
          return nil
        }
        return Entry(manifest: manifest, folder: folder, origin: place.origin)
      }
    }
  }

  /// The folders that may be templates: the place itself, those in it, and those in its `templates` and `pieces`.
  private static func candidates(_ folder: String) -> [String] {
    if isTemplate(folder) { return [folder] }
    let roots = [folder, folder + "/templates"].flatMap { [$0, $0 + "/pieces"] }
    return roots.flatMap { root in
      ((try? FileSystem.entries(in: root)) ?? []).filter { $0.kind == .folder }.map { root + "/" + $0.name }
        .filter(isTemplate)
    }
  }

  private static func isTemplate(_ folder: String) -> Bool {
    FileStatus(folder + "/" + TemplateManifest.fileName)?.kind == .file
  }

  /// The template of a name, with what it extends.
  ///
  /// - Throws: `TemplateError` `template-unknown`, `template-unknown-near`, and of what is wrong with it.
  package func template(_ name: String, kind: TemplateManifest.Kind) throws(TemplateError) -> Template {
    let (folder, origin) = try folder(of: name, kind, isBase: false)
    return try Template(folder: folder, origin: origin) { (base) throws(TemplateError) in
      try TemplateShelf(places + bases).folder(of: base, kind, isBase: true).folder
    }
  }

  /// The only template of a place that has one; nil where it has more or none.
  package func onlyTemplate(kind: TemplateManifest.Kind) -> String? {
    let all = entries(of: kind)
    return all.count == 1 ? all[0].manifest.name : nil
  }

  private func folder(
    of name: String, _ kind: TemplateManifest.Kind, isBase: Bool
  ) throws(TemplateError) -> (folder: String, origin: String) {
    // By the folder's name first, so that only one manifest is read, and its fault is told.
    for place in places where RenderedPath.isComponent(name) {
      for folder in Self.candidates(place.folder) where FileSystem.name(of: folder) == name {
        let manifest = try TemplateFolder.manifest(folder)
        if manifest.kind == kind, isBase || !manifest.isAbstract { return (folder, place.origin) }
      }
    }
    let all = entries(of: kind)
    if let entry = all.first(where: { $0.manifest.name == name }) { return (entry.folder, entry.origin) }
    let names = all.map(\.manifest.name)
    let shown = String(name.prefix(60))
    let values = [
      "name": shown.isPlainText ? shown : "?", "known": names.isEmpty ? "–" : names.joined(separator: ", "),
      "places": places.map(\.folder).joined(separator: ", "),
    ]
    guard let near = closestMatch(to: name, among: names) else { throw TemplateError(.unknown, values) }
    throw TemplateError(.unknownNear, values.merging(["suggestion": near]) { $1 })
  }
}
