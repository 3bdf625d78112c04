import MPaaSLanguages
import Testing

@Suite("Languages") struct LanguagesTests {}
