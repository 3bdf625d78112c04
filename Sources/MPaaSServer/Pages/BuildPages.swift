import MPaaSProtocol
import MPaaSQRCode
import MPaaSSupport
import MPaaSTerminal

/// The pages of builds for operators, as functions of what they show.
struct BuildPages: Sendable {
  let frame: PageFrame

  /// The address of an app's page of builds.
  static func path(app: String) -> String { "/apps/\(HTML.segment(app))/builds" }

  static func path(_ build: BuildEntry) -> String { "/builds/\(HTML.segment(build.id))" }

  // MARK: - Lists

  /// The builds of all apps, with links to the pages of each.
  func all(_ builds: [BuildEntry], apps: [Access.App]) -> String {
    let links = apps.map { HTML.link(Self.path(app: $0.key), $0.name) }
    return frame.page(
      frame.word("builds"), section: "builds",
      ["<p>\(links.joined(separator: " · "))</p>", table(builds, apps: apps)])
  }

  /// The builds of an app.
  ///
  /// - Parameters:
  ///   - mayAdd: Whether the form to add one is shown.
  ///   - problem: The fault in what was sent.
  func list(_ builds: [BuildEntry], app: Access.App, mayAdd: Bool, problem: String? = nil) -> String {
    frame.page(
      frame.word("builds-of", ["app": app.name]), section: "builds",
      [
        problem.map { "<p class=bad role=alert>\(HTML.escaped($0))</p>" } ?? "", mayAdd ? form(app) : "",
        table(builds, apps: []),
      ])
  }

  private func form(_ app: Access.App) -> String {
    """
    <form class=card method=post enctype="multipart/form-data" action="\(Self.path(app: app.key))">
    <label>\(frame.text("build-file"))<input name=file type=file required accept=".ipa,.apk,.zip"></label>
    <button>\(frame.text("build-add"))</button></form><p class=none>\(frame.text("build-hint"))</p>
    """
  }

  /// - Parameter apps: Named in a column of their own; empty for none.
  private func table(_ builds: [BuildEntry], apps: [Access.App]) -> String {
    let names = Dictionary(apps.map { ($0.key, $0.name) }) { $1 }
    let rows = builds.map { build in
      [
        apps.isEmpty ? nil : HTML.escaped(names[build.app] ?? build.app),
        HTML.link(Self.path(build), build.name) + "<br><small>\(HTML.escaped(build.identifier))</small>",
        HTML.escaped(build.versionAndBuild), frame.text("build-kind-\(build.kind)"),
        HTML.escaped(frame.system(of: build)),
        "<span class=n>\(ByteCount(UInt64(clamping: build.size)))</span>", HTML.time(build.added),
        HTML.escaped(build.author),
      ].compactMap { $0 }
    }
    let columns = ["build-name", "version", "kind", "minimum", "size-of-build", "added", "author"]
    let head = (apps.isEmpty ? [] : ["app"]) + columns
    if rows.isEmpty { return frame.empty("no-builds") }
    return HTML.table(head.map { frame.word("column-\($0)") }, rows, isList: true)
  }

  // MARK: - One build

  /// The content of the page of a build.
  struct Detail: Sendable {
    var build: BuildEntry
    var mayChange: Bool
    /// The present, in seconds since 1970.
    var now: Double
    /// A link that was made just now, with its address, which is shown this once.
    var fresh: BuildLink?
    var problem: String?
  }

  func build(_ detail: Detail) -> String {
    let build = detail.build
    return frame.page(
      build.name, section: "builds",
      [
        detail.problem.map { "<p class=bad role=alert>\(HTML.escaped($0))</p>" } ?? "",
        detail.fresh.map { fresh($0, of: build) } ?? "", frame.facts(facts(of: build)),
        "<p>\(HTML.link(Self.path(build) + "/file", frame.word("build-download")))</p>",
        frame.doubts(of: build, at: detail.now).map { "<p class=bad>\(HTML.escaped($0))</p>" }.joined(),
        build.isInstallable ? links(detail) : "", detail.mayChange ? removal(of: build) : "",
      ])
  }

  private func facts(of build: BuildEntry) -> [(String, String)] {
    let signature = build.signature
    let distribution = signature?.distribution.map { frame.text("build-distribution-\($0)") }
    let profile = [signature?.profile.map(HTML.escaped), distribution].compactMap(\.self).joined(separator: " · ")
    let certificate = signature?.certificate.map { value in
      "<code>\(HTML.escaped(value))</code>" + (signature?.scheme.map { " \(HTML.escaped($0))" } ?? "")
    }
    let known: [(String, String?)] = [
      ("column-kind", frame.text("build-kind-\(build.kind)")), ("column-identifier", HTML.escaped(build.identifier)),
      ("column-version", HTML.escaped(build.versionAndBuild)),
      ("column-minimum", HTML.escaped(frame.system(of: build))),
      ("column-file", HTML.escaped(build.filename)),
      ("column-size-of-build", ByteCount(UInt64(clamping: build.size)).description),
      ("column-sha256", "<code>\(HTML.escaped(build.sha256))</code>"),
      ("column-team", signature?.team.map(HTML.escaped)), ("column-profile", profile),
      ("column-profile-end", signature?.expires.map { HTML.time(Double($0)) }), ("column-certificate", certificate),
      ("column-added", HTML.time(build.added)), ("column-author", HTML.escaped(build.author)),
    ]
    return known.compactMap { key, value in value.flatMap { $0.isEmpty ? nil : (key, $0) } }
  }

  /// The address of a new link, and its code for a phone's camera.
  private func fresh(_ link: BuildLink, of build: BuildEntry) -> String {
    let url = link.url ?? ""
    let title = frame.text("build-link-code", ["name": build.name])
    let code = (try? QRCode(url.utf8))?.svg(title: title) ?? ""
    return """
      <p>\(frame.text("build-link-new"))</p><p><code>\(HTML.escaped(url))</code></p>\(code)
      <p class=none>\(frame.text("build-link-until")) \(HTML.time(link.expires))</p>
      """
        + (frame.isTooOpen(url, for: build) ? "<p class=bad>\(frame.text("build-insecure"))</p>" : "")
  }

  private func links(_ detail: Detail) -> String {
    let path = Self.path(detail.build)
    let rows = (detail.build.links ?? []).map { link in
      [
        HTML.time(link.created), HTML.escaped(link.author),
        HTML.time(link.expires)
          + (link.expires <= detail.now ? " <small>\(frame.text("build-link-over"))</small>" : ""),
        detail.mayChange
          ? """
          <form method=post action="\(path)/revoke"><input type=hidden name=link value="\(HTML.escaped(link.id))"><button class=plain>\(frame.text("build-link-revoke"))</button></form>
          """ : "",
      ]
    }
    let head = ["created", "author", "link-end"].map { frame.word("column-\($0)") } + [""]
    let form = """
      <form class=card method=post action="\(path)/link"><label>\(frame.text("build-link-days"))<input name=days type=number min=1 max=365 value=\(BuildService.usualDays)></label><button>\(frame.text("build-link-make"))</button></form>
      """
    return "<h2>\(frame.text("build-links"))</h2><p class=none>\(frame.text("build-links-hint"))</p>"
      + (detail.mayChange ? form : "") + (rows.isEmpty ? frame.empty("build-no-links") : HTML.table(head, rows))
  }

  private func removal(of build: BuildEntry) -> String {
    """
    <form method=post action="\(Self.path(build))/remove"><label>\(frame.text("build-remove-sure"))<input type=checkbox name=sure value=1 required></label> <button class="plain bad">\(frame.text("build-remove"))</button></form>
    """
  }
}

extension BuildEntry {
  var isInstallable: Bool { kind == "ipa" || kind == "apk" }

  /// `1.2 (34)`.
  var versionAndBuild: String { build.isEmpty || build == version ? version : "\(version) (\(build))" }
}

extension PageFrame {
  /// The least version of the system that a build runs on.
  func system(of build: BuildEntry) -> String {
    guard !build.minimumSystem.isEmpty, build.isInstallable else { return "" }
    return word("build-system-\(build.kind)", ["version": build.minimumSystem])
  }

  /// A table of facts, whose values are markup.
  func facts(_ facts: [(String, String)]) -> String {
    let rows = facts.map { "<tr><th scope=row>\(text($0.0))</th><td>\($0.1)</td></tr>" }
    return "<div class=wide><table><tbody>\n\(rows.joined(separator: "\n"))\n</tbody></table></div>"
  }

  /// Tells whether iOS refuses an address, since it is not of https.
  func isTooOpen(_ url: String, for build: BuildEntry) -> Bool { build.kind == "ipa" && !url.hasPrefix("https://") }

  /// The reasons why phones may refuse a build, by what it says of its signature.
  func doubts(of build: BuildEntry, at now: Double) -> [String] {
    guard build.kind == "ipa" else { return build.isInstallable ? [] : [word("build-archive")] }
    guard let signature = build.signature else { return [word("build-unsigned")] }
    var doubts: [String] = []
    if signature.distribution == "store" { doubts.append(word("build-store")) }
    if let end = signature.expires, Double(end) <= now { doubts.append(word("build-profile-over")) }
    return doubts
  }
}
