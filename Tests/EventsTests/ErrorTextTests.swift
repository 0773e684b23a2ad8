import Foundation
import Testing

@testable import Events

@Suite("The sentences of an error by what they are for")
struct ErrorTextTests {
    @Test(
        "The first sentence says what happened, statements say why, and requests say what to do",
        arguments: [
            ("The log was closed.", nil, nil),
            ("The log was closed. Open it again.", nil, "Open it again."),
            (
                "It belongs to another commit. Nothing was written. Draw a new id.", "Nothing was written.",
                "Draw a new id."
            ),
            ("The views could not be built. It is tried again. (no room)", "It is tried again. no room", nil),
            (
                "A row is damaged. Build the views anew. (field 3 is (too) long)", "field 3 is (too) long",
                "Build the views anew."
            ),
            ("The log is damaged (and 3 more). Restore it. Then try again.", nil, "Restore it. Then try again."),
            ("a change names no field", nil, nil),
            ("Half of it (the first)", nil, nil),
            ("A trip's end is before its start at 10. 'Lisbon' was meant.", nil, "'Lisbon' was meant."),
            ("\"Dr. No\" is no day. Write 2027-05-01.", nil, "Write 2027-05-01."),
            ("The trip 'St. Gallen' (in 'Mt. Fuji') is ana's. Nothing was written.", "Nothing was written.", nil),
        ] as [(String, String?, String?)])
    func parts(text: String, reason: String?, advice: String?) {
        let found = ErrorText(text)
        #expect(text.hasPrefix(found.happened) && !found.happened.isEmpty)
        #expect(found.reason == reason && found.advice == advice)
    }

    @Test("An error's texts are those of its description")
    func conformance() {
        struct Fault: ExplainedError {
            let description = "The file is gone. Nothing was read. Check the path."
        }
        let fault = Fault()
        #expect(fault.errorDescription == "The file is gone." && fault.localizedDescription == "The file is gone.")
        #expect(fault.failureReason == "Nothing was read." && fault.recoverySuggestion == "Check the path.")
    }
}
