import MPaaSProtocol

/// The pages of versions and of proposals.
extension FlagPages {
  /// The versions of an environment, the newest first.
  ///
  /// - Parameter flag: The flag that all of them changed; nil for all.
  func history(_ versions: [FlagVersion], flag: String?, hasMore: Bool) -> String {
    let older = versions.last.map { last in
      let words = [("before", String(last.version))] + (flag.map { [("flag", $0)] } ?? [])
      return "<p>\(HTML.link(place.path("/flags/history", words), frame.word("older")))</p>"
    }
    return frame.page(
      frame.word("flags-history"), section: "flags",
      [
        links(), flag.map { "<p>\(HTML.link(place.flag($0), $0))</p>" } ?? "",
        versions.isEmpty ? frame.empty("no-versions") : table(versions), hasMore ? older ?? "" : "",
      ])
  }

  func table(_ versions: [FlagVersion]) -> String {
    let head = ["version", "updated", "author", "changes", "comment"].map { frame.word("column-\($0)") }
    let rows = versions.map { version in
      let names = version.changes.map { HTML.escaped("\(Self.sign($0.kind))\($0.name)") }
      let left = version.added + version.removed + version.changed - version.changes.count
      return [
        HTML.link(place.path("/flags/history/\(version.version)"), String(version.version)), HTML.time(version.time),
        HTML.escaped(version.author), names.joined(separator: ", ") + (left > 0 ? " … +\(left)" : ""),
        HTML.escaped(version.comment),
      ]
    }
    return HTML.table(head, rows)
  }

  /// A version with its difference from the one before.
  ///
  /// - Parameters:
  ///   - newest: The number of the newest version.
  ///   - draft: The form that brings the version back.
  func version(_ version: FlagVersion, newest: Int, _ draft: Draft) -> String {
    var origin = [HTML.time(version.time), HTML.escaped(version.author), HTML.escaped(version.comment)]
    if let rollback = version.rollback {
      origin.append(frame.text("flags-rolled-back", ["version": String(rollback)]))
    }
    if let proposal = version.proposal { origin.append(HTML.link(place.proposal(proposal), proposal)) }
    return frame.page(
      frame.word("flags-version", ["version": String(version.version)]), section: "flags",
      [
        links(), version.version > 0 ? "<p>\(origin.filter { !$0.isEmpty }.joined(separator: " · "))</p>" : "",
        differences(version.changes), problem(draft.problem),
        mayChange && version.version < newest ? rollback(version, newest, draft) : "",
      ])
  }

  private func rollback(_ version: FlagVersion, _ newest: Int, _ draft: Draft) -> String {
    """
    <form class=card method=post action="\(HTML.escaped(place.path("/flags/history/\(version.version)")))">
    <input type=hidden name=base value=\(newest)>
    \(comment(draft))
    \(buttons(atOnce: approvals == 0, "flags-roll-back"))</form>
    """
  }

  /// Changes with the members that differ.
  private func differences(_ changes: [FlagDifference]) -> String {
    guard !changes.isEmpty else { return frame.empty("none") }
    let rows = changes.map { change in
      let name =
        change.subject == "flag" && change.kind != .removed
        ? HTML.link(place.flag(change.name), change.name) : HTML.escaped(change.name)
      let members = change.members.map { member in
        """
        <small>\(HTML.escaped(member.member))</small><br><code class=bad>- \(HTML.escaped(member.before))</code><br>\
        <code>+ \(HTML.escaped(member.after))</code>
        """
      }
      return [
        frame.text("flags-\(change.subject)") + " " + name, frame.text("flags-\(change.kind.rawValue)"),
        members.joined(separator: "<br>"),
      ]
    }
    return HTML.table([frame.word("column-what"), "", frame.word("column-changes")], rows)
  }

  private static func sign(_ kind: FlagDifference.Kind) -> String {
    switch kind {
    case .added: "+"
    case .removed: "-"
    case .changed: ""
    }
  }

  // MARK: - Proposals

  /// Proposals with those that wait for approval, the newest first.
  func proposals(_ proposals: [FlagProposal], state: FlagProposal.State?) -> String {
    let head = ["proposal", "state", "author", "approvals", "changes", "comment", "updated"]
    let rows = proposals.map { proposal in
      [
        HTML.link(place.proposal(proposal.id), proposal.id), frame.text("proposal-\(proposal.state.rawValue)"),
        HTML.escaped(proposal.author), "<span class=n>\(proposal.approvals.count) / \(proposal.needed)</span>",
        proposal.changes.map { HTML.escaped("\(Self.sign($0.kind))\($0.name)") }.joined(separator: ", "),
        HTML.escaped(proposal.comment), HTML.time(proposal.updated),
      ]
    }
    let states = FlagProposal.State.allCases.map { ($0.rawValue, frame.word("proposal-\($0.rawValue)")) }
    let app = place.app.map { "<input type=hidden name=app value=\"\(HTML.escaped($0))\">" } ?? ""
    let filter = """
      <form class=card method=get action="/flags/proposals">\(app)
      <input type=hidden name=environment value="\(HTML.escaped(place.environment))">
      \(choice("state", "column-state", state?.rawValue ?? "", [("", frame.word("any"))] + states))
      <button>\(frame.text("filter"))</button></form>
      """
    return frame.page(
      frame.word("flags-proposals"), section: "flags",
      [
        links(), filter,
        proposals.isEmpty ? frame.empty("no-proposals") : HTML.table(head.map { frame.word("column-\($0)") }, rows),
      ])
  }

  /// A proposal with what may be done with it.
  func proposal(_ proposal: FlagProposal, problem: String?) -> String {
    let names = proposal.approvals.map(\.author).joined(separator: ", ")
    var facts = [
      (frame.word("column-state"), frame.text("proposal-\(proposal.state.rawValue)")),
      (frame.word("column-author"), HTML.escaped(proposal.author)),
      (frame.word("column-comment"), HTML.escaped(proposal.comment)),
      (
        frame.word("column-approvals"),
        "\(proposal.approvals.count) / \(proposal.needed)\(names.isEmpty ? "" : " · ")\(HTML.escaped(names))"
      ),
    ]
    if let at = proposal.at { facts.append((frame.word("proposal-at"), HTML.time(at))) }
    if let reason = proposal.reason { facts.append((frame.word("proposal-reason"), HTML.escaped(reason))) }
    if let version = proposal.version {
      let link = HTML.link(place.path("/flags/history/\(version)"), String(version))
      facts.append((frame.word("column-version"), link))
    }
    let actions = ["approve", "publish", "withdraw"].map { action in
      """
      <form method=post action="\(HTML.escaped(place.path("/flags/proposals/\(HTML.segment(proposal.id))/\(action)")))"><button\(action == "withdraw" ? " class=plain" : "")>\(frame.text(action))</button></form>
      """
    }
    return frame.page(
      frame.word("flags-proposal", ["proposal": proposal.id]), section: "flags",
      [
        links(), self.problem(problem),
        HTML.table([frame.word("column-what"), ""], facts.map { [HTML.escaped($0.0), $0.1] }),
        differences(proposal.changes),
        mayChange && !proposal.state.isFinal ? "<div class=card>\(actions.joined(separator: " "))</div>" : "",
      ])
  }
}
