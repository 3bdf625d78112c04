import MPaaSTestSupport
import Testing

@testable import MPaaSAppServices

@Suite("The form of feedback") struct FeedbackFormTests {
  private let model = FeedbackFormModel()

  @Test("takes userId and mobileNo of the old kit, both optional")
  func parameters() {
    let form = FeedbackForm(parameters: ["userId": "111", "mobileNo": "13800000000", "else": "x"])
    #expect(form.userID == "111")
    #expect(form.mobileNumber == "13800000000")
    #expect(FeedbackForm(parameters: [:]).userID == nil)
  }

  @Test(
    "has every field, category and problem in words of both languages", arguments: ["en-GB", "zh-CN", "zh_Hans", "fr"])
  func words(language: String) {
    let fields = model.fields(in: language)
    #expect(fields.map(\.name) == FeedbackField.Name.allCases)
    let texts =
      fields.flatMap { [$0.title, $0.hint] } + FeedbackProblem.allCases.map { model.message($0, in: language) }
      + FeedbackCategory.usual.map { $0.title(in: language) }
    for text in texts {
      #expect(!text.contains("title-") && !text.contains("hint-") && !text.contains("problem-"))
      #expect(
        text.unicodeScalars.contains { (0x4e00...0x9fff).contains($0.value) } == language.hasPrefix("zh"), "\(text)")
    }
    #expect(Set(FeedbackWords.english.keys) == Set(FeedbackWords.chinese.keys))
    #expect(!FeedbackFormModel(offersLogs: false).fields(in: language).contains { $0.name == .logs })
  }

  @Test("names each problem, in the order of the fields")
  func problems() throws {
    var form = FeedbackForm()
    form.text = " \n"
    #expect(model.problems(of: form) == [.textMissing])
    form.text = "x"
    #expect(model.problems(of: form).isEmpty)
    form.category = "none"
    form.text = String(repeating: "x", count: 5001)
    form.contact = String(repeating: "x", count: 101)
    form.userID = String(repeating: "x", count: 301)
    #expect(model.problems(of: form) == [.categoryUnknown, .textTooLong, .contactTooLong, .userTooLong])
    form.text = String(repeating: "👨‍👩‍👧‍👦", count: 1000)
    #expect(model.problems(of: form).contains(.textTooLong), "25,000 bytes")
  }
}
