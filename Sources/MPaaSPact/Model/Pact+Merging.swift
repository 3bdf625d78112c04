import MPaaSJSON
import MPaaSSupport

extension Pact {
  /// The name of the file that a contract is kept in.
  package var fileName: String {
    let parties = [consumer, provider].map { party in
      String(party.map { $0.isLetter || $0.isNumber || "._-".contains($0) ? $0 : "_" })
    }
    return parties.joined(separator: "-") + ".json"
  }

  /// The contract with the interactions of another one behind its own.
  ///
  /// Interactions of one description and of the same states must be equal; they are kept once. The newer version of the
  /// format is kept.
  ///
  /// - Throws: `PactError` naming the interaction that differs, or the parties where they do.
  package func merged(with other: Pact) throws(PactError) -> Pact {
    guard consumer == other.consumer, provider == other.provider else {
      throw PactError(.conflict, ["interaction": "\(other.consumer) / \(other.provider)"])
    }
    var made = self
    made.specification = max(specification, other.specification)
    var known: [PactInteraction.Identity: Int] = [:]
    for (index, interaction) in made.interactions.enumerated() { known[interaction.identity] = index }
    for interaction in other.interactions {
      guard let index = known[interaction.identity] else {
        known[interaction.identity] = made.interactions.count
        made.interactions.append(interaction)
        continue
      }
      let (own, new) = try (
        made.interactions[index].node(made.specification), interaction.node(made.specification)
      )
      guard own.isEqual(to: new) else {
        throw PactError(.conflict, ["interaction": interaction.description])
      }
    }
    return made
  }
}

extension PactInteraction {
  /// The parts by which an interaction is known.
  struct Identity: Hashable {
    let description: String
    let states: [String]
  }

  var identity: Identity {
    // Equal states may have their parameters in another order.
    Identity(description: description, states: states.map { JSONNode($0.node.value).line }.sorted())
  }
}
