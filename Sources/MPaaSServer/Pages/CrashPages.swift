import MPaaSCrash
import MPaaSCrashReport
import MPaaSTerminal

/// The pages of crashes, as functions of what they show.
struct CrashPages: Sendable {
  let frame: PageFrame

  /// The groups, the one with the newest crash first.
  ///
  /// - Parameter older: Whether there are more, before the last one.
  func groups(_ groups: [CrashGroupEntry], hasMore: Bool) -> String {
    let rows = groups.map { group in
      [
        HTML.link("/groups/\(HTML.segment(group.group))", group.title) + "<br><small>\(blamed(group))</small>",
        HTML.escaped(group.process), "<span class=n>\(group.count)</span>", HTML.time(group.last),
        HTML.time(group.first),
      ]
    }
    let head = ["crash", "process", "count", "last", "first"].map { frame.word("column-\($0)") }
    let more = groups.last.map { "<p>\(HTML.link("/?before=\($0.last)", frame.word("older")))</p>" } ?? ""
    return frame.page(
      frame.word("crashes"), section: "crashes",
      groups.isEmpty ? [frame.empty("no-crashes")] : [HTML.table(head, rows), hasMore ? more : ""])
  }

  /// A group and its newest crashes.
  func group(_ group: CrashGroupEntry, _ crashes: [CrashEntry]) -> String {
    let rows = crashes.map { crash in
      [
        HTML.link("/crashes/\(crash.id)", crash.title), HTML.time(crash.received), HTML.escaped(crash.version),
        HTML.escaped(crash.system), HTML.escaped(crash.device), HTML.escaped(crash.user),
      ]
    }
    let head = ["crash", "received", "version", "system", "device", "user"].map { frame.word("column-\($0)") }
    let facts = frame.text(
      "group-facts", ["count": String(group.count), "process": group.process, "exception": group.exception])
    return frame.page(
      group.title, section: "crashes",
      [
        "<p>\(blamed(group))</p>", "<p>\(facts)<br><code>\(HTML.escaped(group.group))</code></p>",
        HTML.table(head, rows),
      ])
  }

  /// One crash: the report in full, without scripts.
  func crash(_ entry: CrashEntry, _ report: CrashReport, _ attachments: [IncomingCrash.Attachment]) -> String {
    let catalogue = frame.catalogue
    var page = HTMLReport(
      ReportDigest(report) { catalogue.text("text.digest-\($0)") }, language: catalogue.language.rawValue)
    page.isInteractive = false
    let files = attachments.map { "\(HTML.escaped($0.filename)) <small>\($0.size)</small>" }
    let lines = [
      HTML.link("/groups/\(HTML.segment(entry.group))", frame.word("to-group")),
      attachments.contains { $0.filename == SentryIntake.eventFile }
        ? HTML.link("/crashes/\(entry.id)/event", frame.word("event-beside")) : "",
      HTML.link("/crashes/\(entry.id)/report", frame.word("original")),
      frame.text("received-at") + " " + HTML.time(entry.received),
      files.isEmpty ? "" : frame.text("attachments") + " " + files.joined(separator: ", "),
    ].filter { !$0.isEmpty }
    page.preface =
      "<style>\(PageFrame.navigationStyle)</style>\(frame.navigation("crashes"))<p>\(lines.joined(separator: " · "))</p>"
    return page.text
  }

  private func blamed(_ group: CrashGroupEntry) -> String {
    let name = group.function.isEmpty ? group.module : group.function
    let place = group.place.isEmpty ? "" : " <small>\(HTML.escaped(group.place))</small>"
    return name.isEmpty ? "" : "<code>\(HTML.escaped(name))</code>\(place)"
  }
}
