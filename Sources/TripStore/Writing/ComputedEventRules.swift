import Events
import Trips

/// How an event that was computed from what is in the log is held against the rules.
enum ComputedEventRules: Sendable {
    /// It settles a conflict: what no verb may write it does not write either. What is deleted may be deleted again, in view of
    /// what its first deletion did not know.
    case settling
    /// It undoes something. Values are put back as they were, well-formed or not, also of what was never created here.
    case undoing
    /// It comes to what another journal has: as a peer's commits it is not rejected for its meaning.
    case adopting
}

extension EventRules {
    /// Throws `TripStoreError` or `ValidationError` if an event that settles or undoes something is out of place. `held` returns the
    /// value that a field has.
    static func check(
        computed event: Event, by rules: ComputedEventRules, on state: Presence,
        _ held: (UInt32) throws -> [UInt8]?
    ) throws {
        if event.verb != .deleted, state.isCreated || rules == .settling {
            try check(event.verb, of: event.entity, on: state)
        }
        guard !event.changes.isEmpty else { return }
        var failure: (any Error)?
        let fault = fault(of: event, by: rules) { field in
            do { return try held(field) } catch {
                failure = error
                return nil
            }
        }
        if let error = failure ?? fault { throw error }
    }

    /// What would be wrong with an entity if a computed event wrote its values. Paths that this version does not know are not
    /// judged.
    static func fault(
        of event: Event, by rules: ComputedEventRules, on held: (UInt32) -> [UInt8]?
    ) -> ValidationError? {
        var known = TripEvent(.edited, event.entity)
        for change in event.changes where change.path.key.isEmpty {
            guard event.entity.kind.knows(field: change.path.field) else { continue }
            known.writes.append(TripEvent.Write(field: change.path.field, value: change.value))
        }
        if known.writes.isEmpty { return nil }
        do throws(ValidationError) {
            try known.validateValues()
            try known.validateRules(on: held)
            return nil
        } catch {
            // What a merge, or a newer version, wrote may not pass for well-formed; it is put back all the same.
            return rules == .undoing && error.code == .malformedValue ? nil : error
        }
    }
}
