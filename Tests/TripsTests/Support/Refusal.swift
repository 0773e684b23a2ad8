import Testing
import Trips

/// Expects an error of a rule whose message names the values in question and says what to do.
@discardableResult
func expectRefusal(
    _ code: ValidationError.Code, naming values: String..., advising advice: String,
    sourceLocation: SourceLocation = #_sourceLocation, by body: () throws -> Void
) -> ValidationError? {
    let error = #expect(throws: ValidationError.self, sourceLocation: sourceLocation) { try body() }
    guard let error else { return nil }
    #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    for value in values {
        #expect(error.message.contains(value), "names \(value)", sourceLocation: sourceLocation)
    }
    #expect(error.message.contains(advice), "says what to do", sourceLocation: sourceLocation)
    return error
}
