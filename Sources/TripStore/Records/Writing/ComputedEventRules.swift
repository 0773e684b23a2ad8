import Events
import Trips

/// The rules for an event that was computed from the log.
enum ComputedEventRules: Sendable {
    /// It resolves a conflict: it may write only what any verb may. A deleted entity may be deleted again, in view of
    /// an edit that its first deletion did not know.
    case resolving
    /// It undoes something, or changes a kind. Values are as they were, well-formed or not, even of entities that were never
    /// created here.
    case undoing
    /// It adopts another journal's values: like a peer's commits it is not rejected for its meaning.
    case adopting
}

extension EventRules {
    /// Throws `TripStoreError` or `ValidationError` if an event that resolves or undoes something is not allowed.
    /// `held` returns the current value of a field.
    static func check(
        computed event: Event, by rules: ComputedEventRules, on state: Presence, in known: KnownSchema?,
        _ held: (UInt64) throws -> [UInt8]?
    ) throws {
        if event.verb != .deleted, state.isCreated || rules == .resolving {
            try check(event.verb, of: event.entity, on: state, in: known)
        }
        guard !event.changes.isEmpty else { return }
        var failure: (any Error)?
        let fault = fault(of: event, by: rules, in: known) { field in
            do { return try held(field) } catch {
                failure = error
                return nil
            }
        }
        if let error = failure ?? fault { throw error }
    }

    /// The fault that an entity would have if a computed event wrote its values. Unknown paths are not judged.
    static func fault(
        of event: Event, by rules: ComputedEventRules, in known: KnownSchema?, on held: (UInt64) -> [UInt8]?
    ) -> ValidationError? {
        var declared = TripEvent(.edited, event.entity)
        for change in event.changes where change.path.isOwn || change.path.key.isEmpty {
            guard event.entity.declares(field: change.path.field, in: known) else { continue }
            declared.writes.append(TripEvent.Write(change.path, value: change.value))
        }
        if declared.writes.isEmpty { return nil }
        do throws(ValidationError) {
            try declared.validate(in: known, on: held)
            return nil
        } catch {
            // Values of a merge, or of a newer version, may be malformed here, and an app may not have declared its field yet or have
            // another rule since; they are restored nevertheless.
            return rules == .undoing && [.malformedValue, .brokenRule].contains(error.code) ? nil : error
        }
    }
}
