import Events

extension TripEntity {
    /// Checks every rule: for an entity that is about to be created.
    ///
    /// Throws `ValidationError`: `emptyName`, `missingTrip`, `tooLong`, `endBeforeStart`, `unknownTimeZone`, `dateOutOfRange`,
    /// `unknownCurrency` or `invalidCoordinates`, and `brokenRule` for an app's own field.
    public func validate() throws(ValidationError) { try check { _ in true } }

    /// Checks the rules of the changed properties, and no others: an entity that a merge made inconsistent elsewhere stays
    /// editable. Throws as `validate()`.
    public func validate(changing properties: [PartialKeyPath<Self>]) throws(ValidationError) {
        let numbers = Set(properties.compactMap(Self.schema.number))
        try check { numbers.contains($0) }
    }

    /// Checks the rules of the fields that an event wrote, which is applied already.
    package func validate(after event: TripEvent) throws(ValidationError) {
        try check { number in event.writes.contains { $0.field == number } }
    }

    /// Checks the rules of an entity with an event applied; `held` returns the value that a field has before.
    static func validate(_ event: TripEvent, on held: (UInt64) -> [UInt8]?) throws(ValidationError) {
        let schema = schema.erased
        let isCreation = event.verb == .created
        let changed = Set(event.writes.map(\.field))
        let changedSpans = schema.spans.filter { changed.contains($0.start) || changed.contains($0.end) }
        var entity = Self(id: Identifier<Self>(event.entity.id))
        // Fields that no rule reads need not be decoded.
        for field in schema.ordered
        where isCreation || changedSpans.contains(where: { $0.contains(field.number) }) {
            if let value = held(field.number) { entity.decode(field.number, value) }
        }
        // Which of two was written later is not known here, and makes no difference to whether there is a value.
        for field in isCreation ? schema.evolved : [] where held(field.number) == nil {
            let shown = field.former?.shown(field.number) { number in
                held(number).map { FormerFields.Reading(order: 0, value: $0) }
            }
            if let value = shown?.value { entity.decode(field.number, value) }
        }
        entity.apply(event)
        try entity.check { isCreation || changed.contains($0) }
    }

    /// Checks the rules of some fields and names the entity and the field in its error.
    private func check(_ isChanged: (UInt64) -> Bool) throws(ValidationError) {
        let schema = Self.schema.erased
        // In the order of numbers, so that the same draft always has the same first error.
        var checked: EntitySchema.Field?
        do throws(ValidationError) {
            try withUnsafePointer(to: self) { entity throws(ValidationError) in
                for field in schema.ordered where isChanged(field.number) {
                    checked = field
                    try field.storage.check(entity)
                    for span in schema.spans where span.isChecked(with: field.number, isChanged) {
                        try span.check(entity)
                    }
                }
                for number in own.numbers where isChanged(number) {
                    checked = schema.field(number)
                    try checked?.storage.check(entity)
                }
            }
        } catch {
            throw ValidationError(error.code, error.message, entity: reference, field: checked?.name)
        }
    }
}
