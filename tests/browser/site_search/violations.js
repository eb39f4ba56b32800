// Shows on the page what its policy has blocked.
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
  document.querySelector('#violations').append(`${violatedDirective}: ${blockedURI}\n`);
});
