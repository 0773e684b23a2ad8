import Events

extension TripEntity {
    /// Checks every rule: for an entity that is about to be created.
    ///
    /// Throws `ValidationError`: `emptyName`, `tooLong`, `endBeforeStart`, `unknownTimeZone`, `dateOutOfRange`,
    /// `unknownCurrency` or `invalidCoordinates`, the code of a missing parent, and `brokenRule` for a field of an app's own kind. The rules of apps' fields on other kinds
    /// a store checks when they are written.
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

    private func check(_ isChanged: (UInt64) -> Bool) throws(ValidationError) {
        try Self.schema.erased.checkRules(of: reference, where: isChanged, own) { encoded($0) }
    }
}

extension EntitySchema {
    /// Checks the rules of the fields that `isChanged`, and names the entity and the field in its error.
    ///
    /// In the order of numbers, so that the same draft always has the same first error: each field by itself, then a span with the first of
    /// its two. Fields of apps follow, which are in `own`. `value` returns the bytes that a field has; nil if it is cleared.
    func checkRules(
        of entity: EntityReference, where isChanged: (UInt64) -> Bool, _ own: OwnValues, _ value: (UInt64) -> [UInt8]?
    ) throws(ValidationError) {
        var checked: Field?
        do throws(ValidationError) {
            for field in ordered where isChanged(field.number) && !formerFields.contains(where: { $0 === field }) {
                checked = field
                try field.check(value(field.number))
                for span in spans where span.isChecked(with: field.number, isChanged) {
                    try check(span, value(span.start), value(span.end))
                }
            }
            for number in own.numbers where isChanged(number) {
                checked = self.field(number)
                try checked?.check(own)
                if number == Field.amounts.number { try checkAmounts(own, value) }
            }
        } catch {
            throw ValidationError(error.code, error.message, entity: entity, field: checked?.name, of: name)
        }
    }

    /// Refuses a share below 0 of a cost that is no refund.
    private func checkAmounts(_ own: OwnValues, _ value: (UInt64) -> [UInt8]?) throws(ValidationError) {
        guard let field = fields.first(where: { $0.name == "cost" }),
            let cost = value(field.number).flatMap({ Money.decoded($0) }), cost.minorUnits >= 0
        else { return }
        for held in own.values(of: Field.amounts.number) {
            guard let amount = Money.decoded(held.bytes), amount.minorUnits < 0 else { continue }
            throw .brokenRule("\(amount)", of: Field.amounts.name, "Shares of \(cost) are 0 or more.")
        }
    }

    private func check(_ span: Span, _ start: [UInt8]?, _ end: [UInt8]?) throws(ValidationError) {
        guard let start, let end, let type = rules(span.start)?.type,
            !start.withUnsafeBytes({ start in end.withUnsafeBytes { isInOrder(span, start, $0) } })
        else { return }
        throw .endBeforeStart(
            start.withUnsafeBytes { type.text(of: $0) }, end.withUnsafeBytes { type.text(of: $0) })
    }

    /// The one rule of spans: the end is not before the start. What is cleared or cannot be read is in order.
    func isInOrder(_ span: Span, _ start: UnsafeRawBufferPointer, _ end: UnsafeRawBufferPointer) -> Bool {
        guard let type = rules(span.start)?.type, case .integer(let first)? = type.ordered(start),
            case .integer(let last)? = type.ordered(end)
        else { return true }
        return first <= last
    }
}

extension EntitySchema.Field {
    /// Checks the rules of the type, then that of the field, then an app's. A value that the property does not show counts as none.
    fileprivate func check(_ bytes: [UInt8]?) throws(ValidationError) {
        let isShown = bytes.map { bytes in bytes != cleared && isReadable.map { bytes.withUnsafeBytes($0) } ?? true }
        let value = isShown == true ? bytes.flatMap { type.decoded($0) } : nil
        try value?.checkRules()
        try rules.rule?.check(value?.text)
        if let value, let bytes { try check(bytes, value.text) }
    }

    /// Checks an app's field, element by element. Shares of a counter and ranks are not values that an app gives.
    fileprivate func check(_ own: OwnValues) throws(ValidationError) {
        for held in own.values(of: number) where isValue(held.path.key) {
            let value = type.decodedElement(held.bytes)
            try value?.checkRules()
            try check(held.bytes, value?.text ?? "''")
        }
    }

    private func isValue(_ key: [UInt8]) -> Bool {
        collection == nil ? key.isEmpty : ElementKey(key)?.kind.isValue == true
    }

    private func check(_ bytes: [UInt8], _ text: @autoclosure () -> String) throws(ValidationError) {
        if let isAllowed, !isAllowed(bytes) {
            throw .brokenRule(text(), of: name, own == nil ? help?.text : own?.advice)
        }
    }
}
