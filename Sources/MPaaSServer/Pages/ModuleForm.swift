import MPaaSModules
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

/// The form to choose modules: what is offered, a page of it, with the versions that may be asked for.
struct ModuleForm {
  let frame: PageFrame
  let shown: ModulePages.Shown
  let offer: ModuleOffer

  /// Versions of a module that may be chosen alone.
  private static let versions = 8
  /// Characters of a summary.
  private static let summary = 160

  var markup: String {
    let path = ModulePages.path(app: shown.app.key)
    let search = """
      <h2>\(frame.text("modules-choose"))</h2><form class=card method=get action="\(path)" role=search>
      <label>\(frame.text("field-module"))<input name=text type=search value="\(HTML.escaped(shown.text))"></label>
      <button>\(frame.text("modules-search"))</button></form>
      """
    guard !offer.modules.isEmpty || !shown.gone.isEmpty else { return search + frame.empty("modules-none-offered") }
    return """
      \(search)<form method=post action="\(path)"><input type=hidden name=version value=\(version)>
      <input type=hidden name=text value="\(HTML.escaped(shown.text))"><input type=hidden name=after value="\(HTML.escaped(shown.after ?? ""))">
      <div class=card>\(system)</div>
      <ul class=mods>
      \((shown.gone.map(gone) + offer.modules.map(row)).joined(separator: "\n"))
      </ul>
      <p class=card><button>\(frame.text("modules-save"))</button> <button name=update value=1>\(frame.text("modules-update"))</button></p></form>
      \(more(path))
      """
  }

  /// The version that the form is made from; one that was refused as too old takes the present one.
  private var version: Int64 { shown.choice.version }

  private func more(_ path: String) -> String {
    guard let next = offer.next else { return "" }
    let text = shown.text.isEmpty ? "" : "text=\(HTML.segment(shown.text))&"
    return "<p>\(HTML.link("\(path)?\(text)after=\(HTML.segment(next))", frame.word("modules-more")))</p>"
      + "<p class=none>\(frame.text("modules-save-first"))</p>"
  }

  /// The fields of the system that the app is for.
  private var system: String {
    let manifest = shown.choice.manifest
    let platform = shown.draft.map { $0.wish.platform ?? "" } ?? manifest.platform?.rawValue ?? ""
    let minimum = shown.draft.map { $0.wish.minimum ?? "" } ?? manifest.minimum?.text ?? ""
    let options = ModulePlatform.allCases.map { system in
      "<option\(system.rawValue == platform ? " selected" : "")>\(system.rawValue)</option>"
    }
    return """
      <label>\(frame.text("field-platform"))<select name=platform><option value="">\(frame.text("modules-any-system"))</option>\(options.joined())</select></label>
      <label>\(frame.text("field-minimum"))<input name=minimum size=8 value="\(HTML.escaped(minimum))" autocomplete=off></label>
      """
  }

  private func row(_ module: ModuleOffer.Module) -> String {
    let name = HTML.escaped(module.name)
    let asked = (shown.draft?.wish.modules ?? shown.choice.asked)[module.name]
    let newest = module.versions.first { $0.version == self.newest(module) }
    let facts = [
      newest.map { "\($0.version) · \(ByteCount($0.size))" }.map(HTML.escaped), module.license.map(HTML.escaped),
      frame.text("module-signed", ["registry": module.registry, "role": module.role]),
    ].compactMap { $0 }
    return """
      <li><input type=hidden name=shown value="\(name)"><label class=pick><input type=checkbox name=use value="\(name)"\(asked == nil ? "" : " checked")><b>\(name)</b></label>
      <select name="version.\(name)" aria-label="\(frame.text("module-version-of", ["name": module.name]))">\(options(of: module, asked))</select>\(optional(of: module, asked))
      <p>\(HTML.escaped(summary(of: module)))</p><p class=none>\(facts.joined(separator: " · "))</p>
      """
  }

  /// A module that can only be done without.
  private func gone(_ module: String) -> String {
    let name = HTML.escaped(module)
    let isWanted = (shown.draft?.wish.modules ?? shown.choice.asked)[module] != nil
    let version = HTML.escaped(shown.choice.asked[module]?.version ?? "*")
    return """
      <li><input type=hidden name=shown value="\(name)"><input type=hidden name="version.\(name)" value="\(version)"><label class=pick><input type=checkbox name=use value="\(name)"\(isWanted ? " checked" : "")><b>\(name)</b></label>
      <p class=bad>\(frame.text("module-gone"))</p>
      """
  }

  /// The sentence on a module in the page's language, else in the other one.
  private func summary(of module: ModuleOffer.Module) -> String {
    let own = module.summary[frame.catalogue.language.rawValue] ?? module.summary.values.min() ?? ""
    return own.count > Self.summary ? own.prefix(Self.summary) + "…" : own
  }

  private func newest(_ module: ModuleOffer.Module) -> String? {
    let good = module.versions.filter { $0.withdrawn == nil }
    let stable = good.first { ModuleVersion($0.version)?.isPrerelease == false }
    return (stable ?? good.first)?.version
  }

  /// The versions that may be asked for: what is asked for now, the newest and its like, any, and single ones.
  private func options(of module: ModuleOffer.Module, _ asked: AskedModule?) -> String {
    var values: [(value: String, label: String)] = []
    if let newest = newest(module) {
      values.append(("^\(newest)", frame.word("module-like", ["version": newest])))
    }
    values.append(("*", frame.word("module-any")))
    for version in module.versions.filter({ $0.withdrawn == nil }).prefix(Self.versions) {
      values.append(("==\(version.version)", version.version))
    }
    if let asked, !values.contains(where: { $0.value == asked.version }) {
      values.insert((asked.version, asked.version), at: 0)
    }
    return values.map { value, label in
      "<option value=\"\(HTML.escaped(value))\"\(value == asked?.version ? " selected" : "")>\(HTML.escaped(label))</option>"
    }.joined()
  }

  /// Modules that come along where they are wanted.
  private func optional(of module: ModuleOffer.Module, _ asked: AskedModule?) -> String {
    let names = Set(module.versions.filter { $0.withdrawn == nil }.flatMap(\.optional))
    return names.sorted().map { option in
      let isWanted = asked?.with?.contains(option) ?? false
      return """
        <label class=pick><input type=checkbox name="with.\(HTML.escaped(module.name))" value="\(HTML.escaped(option))"\(isWanted ? " checked" : "")>\(frame.text("module-with", ["name": option]))</label>
        """
    }.joined()
  }
}
