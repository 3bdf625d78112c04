import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

/// A proposal with its changes and approvals.
struct FlagProposalView: Presentable {
  let proposal: FlagProposal

  init(_ proposal: FlagProposal) { self.proposal = proposal }

  func encode(to encoder: any Encoder) throws { try proposal.encode(to: encoder) }

  /// A proposal that failed is a negative answer.
  var exit: ExitStatus { proposal.state == .failed ? .negative : .done }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    document.line(
      StyledText(proposal.id, .emphasis) + "  " + proposal.stateText(catalogue)
        + StyledText("  " + origin, .faint))
    if proposal.needed > 0 {
      let isEnough = proposal.approvals.count >= proposal.needed
      document.line("  " + StyledText(approvals(catalogue), isEnough ? .good : .warning))
    }
    if let at = proposal.at, !proposal.state.isFinal {
      document.line("  " + StyledText(catalogue.text("text.flags-published-at", ["time": FlagTime.text(at)])))
    }
    for change in proposal.changes { document.append(change, catalogue) }
    return document
  }

  private var origin: String {
    [FlagTime.text(proposal.created), proposal.author, proposal.comment].filter { !$0.isEmpty }.joined(separator: "  ")
  }

  private func approvals(_ catalogue: Catalogue) -> String {
    let names = proposal.approvals.map(\.author).joined(separator: ", ")
    let values = ["count": "\(proposal.approvals.count)", "needed": "\(proposal.needed)", "names": names]
    return catalogue.text(names.isEmpty ? "text.flags-approvals" : "text.flags-approvals-by", values)
  }
}

/// Proposals, the newest first.
struct FlagProposalList: Presentable {
  let proposals: [FlagProposal]

  func document(_ catalogue: Catalogue) -> Document {
    guard !proposals.isEmpty else { return [.line(StyledText(catalogue.text("text.flags-no-proposals"), .faint))] }
    let names = ["id", "state", "author", "approvals", "changes", "comment"]
    let rows = proposals.map { proposal -> [StyledText] in
      [
        StyledText(proposal.id, .emphasis), proposal.stateText(catalogue), StyledText(proposal.author),
        StyledText("\(proposal.approvals.count)/\(proposal.needed)", .number),
        StyledText("\(proposal.changes.count)", .number), StyledText(proposal.comment),
      ]
    }
    return [
      .table(Table(columns: names.map { .init(catalogue.text("text.flags-heading-\($0)")) }, rows: rows))
    ]
  }
}

extension FlagProposal {
  fileprivate func stateText(_ catalogue: Catalogue) -> StyledText {
    let role: TextRole =
      switch state {
      case .open, .scheduled: .warning
      case .published: .good
      case .withdrawn: .faint
      case .failed: .bad
      }
    let text = catalogue.text("text.flags-proposal-\(state.rawValue)", ["version": version.map { "\($0)" } ?? ""])
    guard let reason, !reason.isEmpty else { return StyledText(text, role) }
    return StyledText(text, role) + StyledText(": \(reason)")
  }
}
