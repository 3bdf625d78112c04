import SwiftUI

/// The screen of a micro-app, by its name; add a case for each of yours.
struct MicroAppScreen: View {
  let application: RunningApp

  var body: some View {
    switch application.name {
    case "demo": DemoScreen()
    default: ContentUnavailableView(application.title, systemImage: "app.dashed")
    }
  }
}

/// Shows what went wrong until the reader has seen it.
struct FailureAlert: ViewModifier {
  @Environment(Stage.self) private var stage

  func body(content: Content) -> some View {
    content.alert(
      "It could not be started.",
      isPresented: Binding(get: { stage.failure != nil }, set: { if !$0 { stage.failure = nil } })
    ) {
    } message: {
      Text(stage.failure ?? "")
    }
  }
}
