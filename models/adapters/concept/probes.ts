/** What the classifier and the detector can tell, there or not, and a few things that they cannot. */
export const probes: readonly string[] = (
  'a cat|an animal|a cup or a mug|a person|a vehicle|no animal|a dog|a cat is sleeping|a bird|a building|a clock|' +
  'a rocket|food|a drink|a table|two people|no person|a wall|grass|stairs|a camera|a man|a woman|an astronaut|' +
  'a raccoon|a mammal|a plant|a flower|furniture|a chair|a car|no vehicle|a book|a bottle|water|the sky|a star|' +
  'an instrument|a reptile|an insect|clothing|a hat|a helmet|outdoors|a face|a machine|three cats|a spoon'
).split('|');
