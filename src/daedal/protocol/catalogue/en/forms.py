"""What is wrong with what somebody wrote into a form."""

WORDS = {
    "forms.integer": "a whole number is wanted here",
    "forms.number": "a number is wanted here",
    "forms.minimum": "{least} is the least",
    "forms.maximum": "{most} is the most",
    "forms.shortest": "at least {count} characters are wanted",
    "forms.longest": "no more than {count} characters are wanted",
    "forms.email": "an e-mail address is wanted here",
    "forms.uri": "an address is wanted here, such as https://example.org",
    "forms.date": "a date is wanted here, such as 2030-01-31",
    "forms.date_time": "a date with its time is wanted here, such as 2030-01-31T12:00:00Z",
    "forms.listed": "one of these is wanted: {values}",
}
