import MPaaSFlags

extension FlagClient: UserObserver {
  /// Goes over to a user: the state that is kept of the user answers at once, and the server is asked for a new one.
  ///
  /// A state that is still fetched for the user before is not taken.
  public func userChanged(to session: UserSession) {
    guard session.ticket != ticket else { return }
    let isSame = UserSession.isSame(session.userID, ticket.userID)
    ticket = session.ticket
    if !isSame { load() }
    guard worker != nil else { return }
    restart()
  }

  private func load() {
    let start = FlagStart(configuration, cache, ticket.userID)
    (holding, active) = (start.holding, start.state)
    told = []
    for problem in start.problems { listeners.tell(.failed(problem)) }
    show(from: start.source)
  }
}
