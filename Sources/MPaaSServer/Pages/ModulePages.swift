import MPaaSModules
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

/// The pages of modules, as functions of what they show.
struct ModulePages: Sendable {
  let frame: PageFrame

  /// A form that was not taken.
  struct Draft: Sendable {
    var wish: ModuleWish
    /// The reason why it was not.
    var refusal: Refusal
    /// The part of the offer that it was about.
    var text = ""
    var after: String?
  }

  /// The content of an app's page.
  struct Shown: Sendable {
    var app: Access.App
    var choice: ModuleChoice
    var mayChange: Bool
    /// The reason why nothing can be downloaded.
    var problem: Refusal?
    /// A page of what registries offer; nil where they are not to be trusted or do not answer.
    var offer: ModuleOffer?
    var draft: Draft?
    /// The words that offered modules have.
    var text = ""
    var after: String?
    /// Modules that are asked for and offered no more.
    var gone: [String] = []
  }

  /// Chosen modules of the app's page, and of their own.
  private static let most = 20
  private static let perPage = 100
  /// Bytes of an address of a registry that are shown.
  private static let longest = 200

  /// The address of an app's page of modules.
  static func path(app: String) -> String { "/apps/\(HTML.segment(app))/modules" }

  // MARK: - Apps

  func apps(_ apps: [Access.App]) -> String {
    let links = apps.map { "<li>\(HTML.link(Self.path(app: $0.key), $0.name))" }
    return frame.page(
      frame.word("modules"), section: "modules", ["<ul>\n\(links.joined(separator: "\n"))\n</ul>"])
  }

  /// The page of a server that offers no modules.
  func off(_ app: Access.App) -> String { page(of: app, [frame.empty("modules-off")]) }

  private func page(of app: Access.App, _ body: [String]) -> String {
    frame.page(frame.word("modules-of", ["app": app.name]), section: "modules", body)
  }

  // MARK: - An app

  func modules(_ shown: Shown) -> String {
    return page(
      of: shown.app,
      [
        shown.draft.map { alert($0.refusal) } ?? "",
        shown.problem.map { alert($0, "modules-\(shown.offer == nil ? "problem" : "stuck")") } ?? "",
        chosen(shown), form(shown), registries(shown),
      ])
  }

  private func form(_ shown: Shown) -> String {
    guard shown.mayChange, let offer = shown.offer else { return "" }
    return ModuleForm(frame: frame, shown: shown, offer: offer).markup
  }

  /// A reason with the steps of its explanation.
  ///
  /// - Parameter lead: The key of what stands before it.
  private func alert(_ refusal: Refusal, _ lead: String? = nil) -> String {
    let told = refusal.told(in: frame.catalogue)
    let steps = (told.explanation ?? []).map { "<li>\(HTML.escaped($0))" }
    let list = steps.isEmpty ? "" : "<ul>\n\(steps.joined(separator: "\n"))\n</ul>"
    let begin = lead.map { frame.text($0) + " " } ?? ""
    return "<div class=bad role=alert><p>\(begin)\(HTML.escaped(told.message))</p>\(list)</div>"
  }

  private func chosen(_ shown: Shown) -> String {
    let (choice, path) = (shown.choice, Self.path(app: shown.app.key))
    let all = choice.chosen
    let title = "<h2>\(frame.text("modules-chosen"))</h2>"
    guard !all.isEmpty else { return title + frame.empty("modules-none") }
    let more =
      all.count > Self.most
      ? "<p>\(HTML.link(path + "/chosen", frame.word("modules-all", ["count": String(all.count)])))</p>" : ""
    let downloads = [
      HTML.link("\(path)/\(ModuleDownloadRoutes.archiveName)", frame.word("modules-archive")) + " ("
        + ByteCount(choice.size).description + ")",
      HTML.link("\(path)/\(ProjectManifest.fileName)", ProjectManifest.fileName),
      HTML.link("\(path)/\(ProjectLock.fileName)", ProjectLock.fileName),
    ]
    return """
      \(title)\(table(Array(all.prefix(Self.most))))\(more)
      <p class=none>\(frame.text("modules-by", ["author": choice.author])) \(HTML.time(choice.changed)) · \(system(of: choice))</p>
      """
        + (shown.problem == nil
          ? "<p>\(downloads.joined(separator: " · "))</p><p class=none>\(frame.text("modules-use")) "
            + "<code>mpaas module sync --frozen --offline</code></p>" : "")
  }

  private func system(of choice: ModuleChoice) -> String {
    guard let platform = choice.manifest.platform else { return frame.text("modules-any-system") }
    return HTML.escaped([platform.rawValue, choice.manifest.minimum?.text].compactMap(\.self).joined(separator: " "))
  }

  private func table(_ modules: [ModuleChoiceEntry.Chosen]) -> String {
    let rows = modules.map { module in
      [
        "<b>\(HTML.escaped(module.name))</b>", HTML.escaped(module.version),
        module.reasons.map { HTML.escaped(Self.short($0)) }.joined(separator: "<br>"),
        "<span class=n>\(ByteCount(module.size))</span>", HTML.escaped(module.registry),
      ]
    }
    return HTML.table(
      ["module", "version", "because", "size-of-build", "registry"].map { frame.word("column-\($0)") }, rows)
  }

  /// A way with its middle left out where it is long.
  private static func short(_ way: String) -> String {
    let steps = way.split(separator: " → ")
    return steps.count > 5 ? (steps.prefix(1) + ["…"] + steps.suffix(3)).joined(separator: " → ") : way
  }

  /// All modules that an app has chosen, a page of them.
  func chosen(_ all: [ModuleChoiceEntry.Chosen], of app: Access.App, after: String?) -> String {
    let rest = all.drop { module in after.map { module.name <= $0 } ?? false }
    let path = Self.path(app: app.key)
    let next = rest.count > Self.perPage ? rest.prefix(Self.perPage).last?.name : nil
    return page(
      of: app,
      [
        "<p>\(HTML.link(path, frame.word("modules-back")))</p>", table(Array(rest.prefix(Self.perPage))),
        next.map { "<p>\(HTML.link("\(path)/chosen?after=\(HTML.segment($0))", frame.word("modules-more")))</p>" }
          ?? "",
      ])
  }

  // MARK: - Registries

  private func registries(_ shown: Shown) -> String {
    guard let registries = shown.offer?.registries else { return "" }
    let rows = registries.map { registry in
      [
        HTML.escaped(registry.name),
        registry.url.isEmpty
          ? frame.text("registry-folder") : HTML.escaped(String(registry.url.prefix(Self.longest))),
        "<span class=n>\(registry.modules)</span>", frame.text("registry-verified"), HTML.time(registry.expires),
        "<code>\(registry.root)</code>",
      ]
    }
    let head = ["registry", "address", "modules", "state", "registry-end", "root"].map { frame.word("column-\($0)") }
    let commands = registries.filter { !$0.url.isEmpty }.map { registry in
      let words = "mpaas sdk registry add \(registry.name) \(registry.url) --fingerprint \(registry.root)"
      return "<p><code>\(HTML.escaped(words))</code></p>"
    }
    return "<h2>\(frame.text("registries"))</h2>" + HTML.table(head, rows)
      + (commands.isEmpty ? "" : "<p class=none>\(frame.text("registries-trust"))</p>" + commands.joined())
  }
}
