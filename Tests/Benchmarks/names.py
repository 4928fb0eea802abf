"""The names of the contacts."""

FIRST = (
    "Anna Andrés Anja Alice Ahmed Amelia Barbara Björn Camille Carmen Catherine Chloé Claire Daniel "
    "Diana Dmitri Dorothy Elena Emma Esther Fatima Felix Fiona François Gabriel George Greta Hannah "
    "Helen Hugo Ingrid Isabel Ivan James Jean Joan José Julia Karl Katarzyna Laura Leo Linda Lucas "
    "Magdalena Maria Martin Maya Mohammed Nadia Nina Noah Olivia Omar Pablo Paul Pierre Rachel Rosa "
    "Ruth Samuel Sofia Stefan Susan Teresa Thomas Ursula Victor Walter Xavier Yasmin Zoë"
).split()
LAST = (
    "Andersson Adams Ahmed Bailey Becker Bennett Bianchi Brown Campbell Castro Chen Cooper D'Angelo "
    "Davies Diaz Dubois Eriksson Evans Fernández Fischer Foster Garcia González Green Gupta Hansen "
    "Harris Hernández Hoffmann Hughes Ivanov Jackson Jansen Jones Kaya Kelly Kowalski Kumar Lambert "
    "Larsen Lewis Lopez MacDonald Martínez Meyer Moreau Müller Murphy Nguyen Novak O'Brien Olsen Patel "
    "Pereira Petrov Popescu Reed Richter Rodríguez Rossi Santos Schmidt Scott Silva Singh Svensson "
    "Taylor Torres Vargas Wagner Watson White Wilson Wright Yilmaz Zimmermann"
).split()

